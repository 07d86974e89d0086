// Overflow builtins of mixed and of the widest types, vector shuffles, designators that overwrite addresses.
#include <limits.h>
#include <stdio.h>

typedef int vec __attribute__((vector_size(16)));
static int one, two;
static int *table[3] = { &one, &two, [0] = &two, [2] = &one, [1] = 0 };

int main(void) {
    long l; unsigned long ul; __int128 w; unsigned __int128 uw; int i; unsigned char uc;
    volatile long big = LONG_MAX; volatile unsigned long ubig = ULONG_MAX; volatile int minus = -1;
    int o1 = __builtin_add_overflow(big, ubig, &ul), o2 = __builtin_sub_overflow(big, ubig, &l), o3 = __builtin_mul_overflow(big, ubig, &l);
    printf("%d %lu %d %ld %d %ld\n", o1, ul, o2, l, o3, l);
    int o4 = __builtin_mul_overflow((long)minus, 5ul, &l), o5 = __builtin_mul_overflow((long)minus, 5ul, &ul), o6 = __builtin_add_overflow(minus, 1u, &uc);
    printf("%d %ld %d %lu %d %d\n", o4, l, o5, ul, o6, uc);
    __int128 wide = (__int128)big << 64; unsigned __int128 uwide = (unsigned __int128)ubig << 64 | ubig;
    int o7 = __builtin_add_overflow(wide, wide, &w), o8 = __builtin_sub_overflow(-wide, wide, &w), o9 = __builtin_mul_overflow(wide, (__int128)minus, &w);
    printf("%d %d %d %d\n", o7, o8, o9, w < 0);
    int p1 = __builtin_add_overflow(uwide, (unsigned __int128)1, &uw), p2 = __builtin_mul_overflow(uwide, (unsigned __int128)2, &uw), p3 = __builtin_sub_overflow((unsigned __int128)1, uwide, &uw);
    int p4 = __builtin_mul_overflow((__int128)minus, (__int128)((unsigned __int128)1 << 127), &w);
    printf("%d %d %d %d\n", p1, p2, p3, p4);
    printf("%d %d\n", __builtin_mul_overflow_p(1 << 20, 1 << 20, (int)0), __builtin_add_overflow_p(1, 2, (char)0));
    i = __builtin_sadd_overflow(INT_MAX, -minus, &i) + i;
    printf("%d\n", i);
    vec a = { 1, 2, 3, 4 }, b = { 5, 6, 7, 8 }, m = { 3, 9, 4, 0 };
    vec s = __builtin_shuffle(a, m), t = __builtin_shuffle(a, b, m);
    printf("%d %d %d %d  %d %d %d %d\n", s[0], s[1], s[2], s[3], t[0], t[1], t[2], t[3]);
    printf("%d %d %d\n", table[0] == &two, table[1] == 0, table[2] == &one);
    return 0;
}
