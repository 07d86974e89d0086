/* Bits of a double through a union, a pointer cast and memcpy, as in fdlibm. */
#include <string.h>

typedef union {
    double value;
    struct {
        unsigned low, high;
    } words;
} shape;

int by_union(double x)
{
    shape bits;
    bits.value = x;
    if (bits.words.high == 0x3ff00000 && bits.words.low == 1)
        return 1;
    bits.words.low = 0;
    return bits.value == -2.0 && x != -2.0;
}

int by_cast(double x)
{
    int high = *(1 + (int *)&x) & 0x7fffffff;
    if (high >= 0x7ff00000)
        return x != x;
    *(int *)&x = 0;
    return high < 0x00100000 && x > 0.0;
}

int by_memcpy(float x)
{
    unsigned bits;
    memcpy(&bits, &x, sizeof bits);
    if ((bits & 0x7fffff) == 0x123456)
        return x > 1e10f;
    return (bits >> 23 & 0xff) == 0 && x < 0.0f;
}
