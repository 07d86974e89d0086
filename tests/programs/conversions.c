// Conversions and arithmetic of all integer and floating types.
#include <limits.h>
#include <stdio.h>
#include <stdint.h>

static volatile int one = 1;

int main(void) {
    signed char sc = -1; unsigned char uc = sc; short s = (short)70000; unsigned u = sc; long l = u; unsigned long ul = sc;
    printf("%d %d %d %u %ld %lu\n", sc, uc, s, u, l, ul);
    printf("%d %d %d\n", sc < u, sc < (long)u, -1 < (unsigned char)1);
    printf("%d %d %d %d\n", -7 / 2, -7 % 2, 7 / -2, 7 % -2);
    printf("%u %u %d %d\n", 7u / 2, 1u - 2, -8 >> 1, (int)(0x80000000u >> 31));
    uc = 200; uc += 100; printf("%d ", uc); uc <<= 3; printf("%d ", uc); uc = ~uc; printf("%d ", uc); uc = -uc; printf("%d\n", uc);
    float f = 16777217; double d = 0.1; f += one; d = f / 3; int i = (int)-3.99; unsigned big = (unsigned)3e9; long long ll = (long long)1e18;
    printf("%.9g %.17g %d %u %lld %.17g\n", f, d, i, big, ll, (double)0xffffffffffffffffULL);
    i = 5; i /= 0.5; printf("%d ", i); i *= 1.5f; printf("%d ", i); i -= 0.5; printf("%d\n", i);
    long double ld = 1.0L / 3; printf("%.20Lg %d %.10g\n", ld, (int)(ld * 9), (double)ld);
    __int128 wide = (__int128)INT64_MAX * 4 + 3; unsigned __int128 uw = (unsigned __int128)-1;
    printf("%llx %llx %llx %d\n", (unsigned long long)(wide >> 64), (unsigned long long)wide, (unsigned long long)(uw / 7 >> 3), (int)(wide % 1000));
    wide = -wide; printf("%lld %d\n", (long long)(wide / 1000000007), wide < 0);
    _Bool b = 0.5; b += 3; printf("%d ", b); b--; printf("%d ", b); b = (uintptr_t)&b >> 3; printf("%d %zu\n", b, sizeof b);
    char *p = (char *)&l; p += 3; printf("%d %d\n", (int)(p - (char *)&l), (char)0x181);
    enum e { NEG = -1, POS = 3 } e = POS; e = e - 4; printf("%d %d\n", e, e == NEG);
    printf("%d %d %lu\n", INT_MAX + (unsigned)one > 0, (short)40000 < 0, sizeof(1 ? 'a' : 1L));
    int shift = 31; printf("%u %d %lld\n", 1u << shift, 1 << 4 << 2, 1LL << (shift + 20));
    printf("%d %d %d\n", 3 > 2 > 1, !3, !!3.5);
    double z = 0.0; printf("%d %d %d %g\n", z == -z, 1 / z > 1e308, z / z != z / z, -z);
    float tiny = 1e-45f; printf("%g %a %g\n", tiny, 0x1.8p3, (float)1e39 > 1e38 ? 1.0 : 0.0);
    unsigned long long m = 0xfedcba9876543210ULL; printf("%u %d %d %hd\n", (unsigned)m, (int)m, (signed char)m, (short)(m >> 4));
    int arr[4] = { 1, 2, 3, 4 }, *q = arr + 3; printf("%d %d %ld %d\n", q[-1], 2[arr], (long)(q - arr), *(q - 1));
    printf("%d %c\n", 'ab' & 0xff, "hello"[1]);
    return (int)sizeof(long double) - 16;
}
