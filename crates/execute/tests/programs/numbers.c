// Numbers read from text, and the other numeric functions of stdlib.h.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void integers(void) {
    const char *texts[] = {"0", "42", "-17", "  +8", "0x1F", "077", "2147483647", "2147483648", "-2147483649",
                           "9223372036854775807", "9223372036854775808", "-9223372036854775809",
                           "18446744073709551616", "abc", "12abc", "-", "0x", "08", "zz", ""};
    int bases[] = {0, 10, 16, 8, 2, 36};
    for (unsigned i = 0; i < COUNT(texts); i++) {
        for (unsigned j = 0; j < COUNT(bases); j++) {
            char *end;
            errno = 0;
            long number = strtol(texts[i], &end, bases[j]);
            int error = errno;
            errno = 0;
            printf("%ld,%ld,%d,", number, (long)(end - texts[i]), error);
            unsigned long positive = strtoul(texts[i], &end, bases[j]);
            printf("%lu,%d ", positive, errno);
        }
        printf("%d %ld\n", atoi(texts[i]), atol(texts[i]));
    }
}

static void floats(void) {
    const char *texts[] = {"0", "1", "-1.5", "3.14159", "1e10", "1e-10", "1e400", "-1e400", "1e-400", "4.9e-324",
                           "2.2250738585072014e-308", "2.2250738585072011e-308", "0x1.8p3", "0x.1p-2", "inf",
                           "-infinity", "nan", "nan(123)", "1.7976931348623157e308", "1.7976931348623159e308", "0.1e",
                           "123abc", ".5", "5.", "-.5e1x", "0x1p-1080", "9007199254740993", "1e23", "8.5e22",
                           "123456789012345678901234567890", "0x", ".", "1e-4945", "1.18973149535723176502e+4932"};
    for (unsigned i = 0; i < COUNT(texts); i++) {
        char *end;
        errno = 0;
        double number = strtod(texts[i], &end);
        printf("%a %ld %d ", number, (long)(end - texts[i]), errno);
        errno = 0;
        float single = strtof(texts[i], &end);
        printf("%a %d ", single, errno);
        printf("%La %a\n", strtold(texts[i], &end), atof(texts[i]));
    }
}

int main(void) {
    integers();
    floats();
    div_t small = div(17, 5);
    ldiv_t large = ldiv(-17L, 5L);
    printf("%d %ld %lld %d %d %ld %ld\n", abs(-5), labs(-6L), llabs(-7LL), small.quot, small.rem, large.quot, large.rem);
    return 0;
}
