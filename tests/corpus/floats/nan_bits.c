/* NaNs have a sign and a payload: what looks at bits can tell them apart, what compares numbers cannot. */
#include <math.h>
#include <string.h>

union word {
    float f;
    unsigned char c[4];
    unsigned u;
};

/* The lowest byte of a NaN, by a union. */
int payload(union word u)
{
    if (u.f != u.f && u.c[0] == 7)
        return 1;
    return 0;
}

/* A signalling NaN, by memcpy; an infinity is none. */
int signalling(float f)
{
    unsigned u;
    memcpy(&u, &f, 4);
    if (u == 0x7f800001)
        return 1;
    if (f == f && (u & 0x7fffffff) > 0x7f800000)
        return 2;
    return 0;
}

/* The sign of a NaN; its magnitude has none. */
int sign(double x)
{
    if (isnan(x) && signbit(x))
        return 1;
    if (signbit(fabs(x)))
        return 2;
    return 0;
}

/* A copy and a negation keep the payload, a sum of numbers gives a quiet NaN. */
int kept(float x, float y)
{
    union word a, b, c;
    a.f = x;
    b.f = -a.f;
    c.f = x + y;
    if (a.u == 0x7fc00005 && (b.u & 0x7fffffff) != 0x7fc00005)
        return 1;
    if (c.f != c.f && x == x && y == y && (c.u & 0x00400000) == 0)
        return 2;
    return c.f != c.f;
}
