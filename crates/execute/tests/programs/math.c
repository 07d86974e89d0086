// math.h: what is exact, and the host's transcendental functions.
#include <math.h>
#include <stdio.h>

static void exact(double x) {
    int exponent;
    double whole, significand = frexp(x, &exponent), fraction = modf(x, &whole);
    printf("%a %a %a %a %a %a\n", sqrt(fabs(x)), floor(x), ceil(x), round(x), trunc(x), rint(x));
    printf("%a %d %a %a %a %a\n", significand, exponent, fraction, whole, ldexp(x, 3), fmod(x, 3));
    printf("%ld %ld %a %a %a %a\n", lround(fmod(x, 1e6)), lrint(fmod(x, 1e6)), fmax(x, 1), fmin(x, NAN),
           copysign(x, -1), remainder(x, 0.7));
    printf("%d %d %d %d %a %a %a\n", isnan(x) != 0, isinf(x) != 0, signbit(x) != 0, fpclassify(x), fma(x, x, 1),
           nextafter(x, 1e9), fdim(x, 2));
    printf("%La %La %La %d\n", sqrtl(fabsl(x)), floorl(x), ldexpl(x, -3), ilogb(x));
    printf("%a %a %a\n", (double)floorf(x), (double)sqrtf(fabs(x)), (double)fmodf(x, 1.5f));
}

static void transcendental(double x) {
    printf("%a %a %a %a %a\n", sin(x), cos(x), tan(x), exp(fmod(x, 50)), atan(x));
    printf("%a %a %a %a\n", pow(fabs(x), 1.5), log(fabs(x) + 1), hypot(x, 2), atan2(x, 3));
    printf("%a %a %a %a\n", tanh(x), log2(fabs(x) + 0.5), log10(fabs(x) + 0.25), exp2(fmod(x, 10)));
    printf("%a %a %a\n", expm1(fmod(x, 3)), asin(fmod(x, 1)), log1p(fabs(x)));
    printf("%a %a %a\n", (double)sinf(x), (double)powf(fabs(x), 0.5f), (double)expf(fmod(x, 20)));
}

int main(void) {
    double values[] = {0, -0.0, 0.5, 1, -1, 2.25, 10, 1e-5, 100.125, -3.7, 2.5, -2.5, 1e300, 5e-324};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        exact(values[i]);
        transcendental(values[i]);
    }
    return 0;
}
