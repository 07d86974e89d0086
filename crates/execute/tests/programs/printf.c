// Every conversion, flag, width, precision and length of printf.
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void show(const char *format, ...) {
    char text[400];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    printf("%s: %d [%s]\n", format, length, text);
}

static void integers(void) {
    const char *formats[] = {"%d", "%5d", "%-5d|", "%05d", "%+d", "% d", "%.3d", "%8.3d", "%-8.3d|", "%+.0d", "%i",
                             "%hhd", "%hd", "%u", "%x", "%X", "%o", "%#x", "%#o", "%#X", "%08x", "%#010x", "%.5x",
                             "%-10x|", "%hhu", "%hx", "%+u", "%.0x", "%#.0o", "%+05d", "%- 5d|"};
    int values[] = {0, 1, -1, 42, -12345, 2147483647, -2147483647 - 1};
    for (unsigned i = 0; i < COUNT(formats); i++)
        for (unsigned j = 0; j < COUNT(values); j++)
            show(formats[i], values[j]);
    long longs[] = {0, -1, 1L << 40, 0x7fffffffffffffffL};
    for (unsigned i = 0; i < COUNT(longs); i++)
        show("%ld %lu %lx %lo %lld %zu %jd %td", longs[i], longs[i], longs[i], longs[i], (long long)longs[i],
             (size_t)longs[i], (intmax_t)longs[i], (ptrdiff_t)longs[i]);
}

static void doubles(void) {
    const char *formats[] = {"%f",      "%e",    "%g",      "%a",      "%F",    "%E",    "%G",    "%A",     "%.0f",
                             "%.0e",    "%.0g",  "%.0a",    "%#.0f",   "%#.0e", "%10.3f|", "%-12.2e|", "%+.1f", "% .2f",
                             "%012.3f", "%.15g", "%.17g",   "%.20f",   "%.3a",  "%20a|", "%.40e", "%.1g",   "%5.1f",
                             "%-+8.2f|", "%.10g", "%.1a",   "%010g",   "%-10.0f|"};
    double values[] = {0.0,  -0.0,    1.0,      -1.5,     0.1,  123456789.123, 1e10,  1e-10,  1e100,  5e-324,
                       DBL_MAX, DBL_MIN, 0.5,   1.5,      2.5,  0.05,   999999.5, 9999995.0, 1e15, 1e16,
                       1e17, 123456,  1234567,  0.0001,   0.00001, INFINITY, -INFINITY, NAN, 3.14159265358979, 1.0 / 3,
                       2.0 / 3, 0.125, 0.375,   1e22,     1e23, 100000, 1000000};
    for (unsigned i = 0; i < COUNT(formats); i++)
        for (unsigned j = 0; j < COUNT(values); j++)
            show(formats[i], values[j]);
}

static void long_doubles(void) {
    const char *formats[] = {"%Lf", "%Le", "%Lg", "%La", "%.30Lf", "%.3La", "%.20Lg", "%LA"};
    long double values[] = {0.0L,     1.0L,     -1.5L,     0.1L,     1e100L, 1.0L / 3, LDBL_MAX,
                            LDBL_MIN, 1e-4940L, 3.14159265358979323846L, INFINITY, NAN};
    static char text[6000];
    for (unsigned i = 0; i < COUNT(formats); i++)
        for (unsigned j = 0; j < COUNT(values); j++) {
            int length = snprintf(text, sizeof text, formats[i], values[j]);
            unsigned hash = 0;
            for (char *at = text; *at; at++)
                hash = hash * 31 + *at;
            printf("%s: %d %u %.60s\n", formats[i], length, hash, text);
        }
}

static void texts(void) {
    char small[5];
    int count = 0;
    show("%s|%10s|%-10s|%.3s|%10.2s|%%|%c|%5c|%-5c|", "abc", "abc", "abc", "abcdef", "abcdef", 'x', 'y', 'z');
    show("%*d|%-*d|%.*f|%*.*e|%*d|", 8, 42, 8, 42, 3, 3.14159, 12, 2, 2.71828, -8, 42);
    show("%p %.*d", (void *)0, -1, 7);
    printf("hello%n world\n", &count);
    printf("%d\n", count);
    printf("%d %s\n", snprintf(small, sizeof small, "%s", "truncated"), small);
    sprintf(small, "%d", 123);
    puts(small);
    printf("%d\n", snprintf(NULL, 0, "%d", 12345));
}

int main(void) {
    integers();
    doubles();
    long_doubles();
    texts();
    fprintf(stdout, "to stdout %d\n", 1);
    fprintf(stderr, "to stderr\n");
    fputs("fputs\n", stdout);
    fputc('c', stdout);
    putc('\n', stdout);
    putchar('q');
    putchar('\n');
    fwrite("fwrite\n", 1, 7, stdout);
    return 0;
}
