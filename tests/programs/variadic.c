// Variable arguments: every kind of argument, copies of the list, forwarding, old-style definitions.
#include <stdarg.h>
#include <stdio.h>

struct pair { int a; double b; };
struct large { long v[5]; };

static double sum(const char *kinds, ...) {
    va_list list, copy;
    va_start(list, kinds);
    va_copy(copy, list);
    double total = 0;
    for (const char *k = kinds; *k; k++) {
        switch (*k) {
        case 'i': total += va_arg(list, int); break;
        case 'l': total += va_arg(list, long long); break;
        case 'd': total += va_arg(list, double); break;
        case 's': total += va_arg(list, char *)[0]; break;
        case 'p': { struct pair p = va_arg(list, struct pair); total += p.a * p.b; break; }
        case 'L': total += va_arg(list, struct large).v[4]; break;
        }
    }
    va_end(list);
    int first = va_arg(copy, int);
    va_end(copy);
    return total + first * 1000;
}

static int forward(char *buffer, size_t size, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsnprintf(buffer, size, format, list);
    va_end(list);
    return n;
}

static int next(va_list *list) { return va_arg(*list, int); }
static int chain(int count, ...) {
    va_list list; int r = 0;
    va_start(list, count);
    while (count--) r = r * 10 + next(&list);
    va_end(list);
    return r;
}

static int old_style(a, b, c) char a; float b; short *c; { return a + (int)(b * 2) + *c; }

int main(void) {
    struct large big = { { 1, 2, 3, 4, 5 } };
    printf("%g\n", sum("ildspL", 3, 4LL, 2.5, "A", (struct pair){ 2, 1.5 }, big));
    char buffer[64];
    int n = forward(buffer, sizeof buffer, "%d-%s-%5.1f-%c-%lx", 42, "x", 3.14159, 'q', 255L);
    printf("%d %s\n", n, buffer);
    printf("%d\n", chain(5, 1, 2, 3, 4, 5));
    short s = 7;
    printf("%d\n", old_style('a', 1.5, &s));
    return 0;
}
