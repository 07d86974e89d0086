// Compiler builtins, atomics, vectors, complex numbers, _Generic, typeof, cleanup.
#include <complex.h>
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

typedef int vec __attribute__((vector_size(16)));
typedef float fvec __attribute__((vector_size(16)));

#define NAME(x) _Generic((x), int: "int", unsigned: "unsigned", double: "double", char *: "string", default: "other")
#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })

static int order;
static void leave(int *value) { order = order * 10 + *value; }
static int scoped(int early) {
    int a __attribute__((cleanup(leave))) = 1;
    { int b __attribute__((cleanup(leave))) = 2; if (early) return 5; }
    for (int i = 0; i < 2; i++) { int c __attribute__((cleanup(leave))) = 3; if (i == 1) break; }
    return 6;
}

int main(void) {
    printf("%d %d %d %d %d %d\n", __builtin_clz(1), __builtin_ctzll(0x100), __builtin_popcount(0xff), __builtin_parity(7), __builtin_ffs(8), __builtin_clrsb(-1));
    printf("%x %llx\n", __builtin_bswap32(0x12345678), (unsigned long long)__builtin_bswap64(1));
    int r; unsigned ur; long lr; signed char cr;
    int o1 = __builtin_add_overflow(0x7fffffff, 1, &r), o2 = __builtin_sub_overflow(1u, 2u, &ur), o3 = __builtin_mul_overflow(1L << 40, 1L << 30, &lr), o4 = __builtin_add_overflow(100, 20, &cr);
    printf("%d %d %d %u %d %ld %d %d\n", o1, r, o2, ur, o3, lr, o4, cr);
    printf("%d %d %d\n", __builtin_expect(3 > 2, 1), __builtin_constant_p(5), __builtin_types_compatible_p(int, signed));
    printf("%s %s %s %s %d %g\n", NAME(1), NAME(1u), NAME("s"), NAME('a' + 0L), MAX(3, 7), MAX(2.5, 1));
    atomic_int at = 5; int expected = 6;
    atomic_fetch_add(&at, 3);
    int swapped = atomic_compare_exchange_strong(&at, &expected, 9);
    printf("%d %d %d %d\n", atomic_load(&at), swapped, expected, atomic_exchange(&at, 1));
    __sync_fetch_and_or(&at, 6); at++; printf("%d %d\n", at, __sync_bool_compare_and_swap(&at, 8, 2));
    vec v = { 1, 2, 3, 4 }, w = v * v + 1; w[1] = 50; vec m = w > 9; fvec fv = { 0.5f, 1.5f }; fv *= 2;
    printf("%d %d %d %d %d %g\n", w[0], w[1], w[3], m[0], m[3], fv[1]);
    double complex c = 1.0 + 2.0 * I, e = c * c - 1; e = conj(e) * 2; __real__ e += 1;
    printf("%g %g %d\n", creal(e), cimag(e), e == c);
    float complex inf = (INFINITY + 0 * I) * (1 + 1 * I); printf("%g %g\n", crealf(inf), cimagf(inf));
    printf("%d %d %d %d %d\n", isnan(NAN) != 0, isinf(-INFINITY) != 0, signbit(-0.0) != 0, fpclassify(0.0) == FP_ZERO, isless(1.0, NAN));
    printf("%g %g %d %g\n", copysign(3.0, -1.0), fabs(-2.5), __builtin_abs(-4), __builtin_huge_val());
    int s1 = scoped(0), s2 = scoped(1); printf("%d %d %d\n", s1, s2, order);
    char *stack = __builtin_alloca(16); stack[15] = 'z'; printf("%c %s\n", stack[15], __func__);
    if (r == 12345) __builtin_unreachable();
    return 0;
}
