// Aggregates by value, function pointers, variable arguments, recursion, wide integers.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct big {
    long parts[5];
};

struct pair {
    char letter;
    short number;
};

static struct big make(int factor) {
    struct big result;
    for (int i = 0; i < 5; i++)
        result.parts[i] = factor * i;
    return result;
}

static long total(struct big value) {
    long sum = 0;
    for (int i = 0; i < 5; i++)
        sum += value.parts[i];
    value.parts[0] = 99;
    return sum;
}

static long mixed(int count, ...) {
    va_list list, copy;
    va_start(list, count);
    va_copy(copy, list);
    long sum = 0;
    for (int i = 0; i < count; i++)
        sum += va_arg(list, int);
    sum += (long)va_arg(list, double);
    sum += va_arg(list, struct pair).number;
    sum += (long)va_arg(list, long double);
    sum += va_arg(copy, int);
    va_end(copy);
    va_end(list);
    return sum;
}

static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

int main(void) {
    int (*table[])(int) = {twice, square, abs};
    struct pair pair = {'p', 1000};
    unsigned __int128 wide = (unsigned __int128)0xfedcba9876543210u * 0x123456789abcdefu;
    printf("%ld %ld\n", total(make(3)), mixed(3, 1, 2, 3, 4.5, pair, 10.0L));
    for (int i = 0; i < 3; i++)
        printf("%d ", table[i](-7));
    printf("%d %llx %llx\n", fibonacci(15), (unsigned long long)(wide >> 64), (unsigned long long)wide);
    printf("%d\n", (int)(wide % 1000003));
    return (int)(wide >> 120) & 127;
}
