/* restrict, inline, const, register. */
#include <stddef.h>
static inline int least(int a, int b) { return a < b ? a : b; }
inline int square(int x) { return x * x; }
extern inline int square(int x);

int copy_some(char *restrict to, const char *restrict from, size_t n) {
    size_t i = 0;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
    if (i < n)
        to[i] = '\0';
    return (int)i;
}

int bounded(register int x) {
    if (x > 100 || x < -100)
        return 0;
    return least(square(x), 50) == 49;
}

int dot(size_t n, const int *restrict a, const int *restrict b) {
    int sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (a[i] & 15) * (b[i] & 15);
    return sum > 30;
}

int fixed(const int a[static 3]) {
    return a[0] < a[1] && a[1] < a[2];
}

/* A function that must be inlined: tests call it all the same, even where they keep functions apart. */
static inline __attribute__((always_inline)) int third(const int *values, int last) {
    return last > 2 ? values[2] : -1;
}

int third_of(const int *values, int last) {
    return third(values, last);
}
