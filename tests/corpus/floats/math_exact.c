/* Functions of math.h that C defines exactly: every branch needs the exact result of one of them. */
#include <math.h>

int scaled(double x, int n) { return ldexp(x, n) == 0x1p-1074 && x > 1.0 && x < 1.5; }

int fraction(double x)
{
    int power;
    if (frexp(x, &power) == 0.75)
        return power == -1070;
    return 2;
}

int parts(float x)
{
    float whole;
    if (modff(x, &whole) == 0.25f)
        return whole == 1024.0f;
    return 2;
}

int rounded(float x)
{
    if (lroundf(x) == 7)
        return rintf(x) == 6.0f;
    return 2;
}

int classes(double x)
{
    switch (fpclassify(x)) {
    case FP_NAN: return 1;
    case FP_INFINITE: return signbit(x) ? 2 : 3;
    case FP_ZERO: return signbit(x) ? 4 : 5;
    case FP_SUBNORMAL: return 6;
    default: return ilogb(x) == 1000 ? 7 : 8;
    }
}

int neighbours(double x)
{
    if (nextafter(x, 10.0) == -1.0)
        return 1;
    if (copysign(x, -1.0) == -INFINITY)
        return 2;
    if (logb(x) == 100.0 && fmin(x, 3.0) == x)
        return 3;
    return x == 0.0 && nextafter(x, x) != 0.0;
}

int modulo(double x)
{
    double r = fmod(x, 3.0);
    if (r == 1.25 && x > 100.0)
        return 1;
    if (r == -2.5)
        return 2;
    if (r >= 3.0)
        return 3;
    return r < 0.0 && x > 0.0;
}
