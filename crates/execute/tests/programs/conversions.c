// Floats that do not fit an integer: what gcc computes itself and what its code computes differ.
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double large = 1e30, negative = -1e30, none = NAN;
    printf("%d %d\n", (int)1e30, (int)-1e30);
    printf("%d %d %d\n", (int)large, (int)negative, (int)none);
    printf("%d %d %d\n", (signed char)large, (short)negative, (unsigned char)large);
    printf("%u %u %lu %lu\n", (unsigned)large, (unsigned)negative, (unsigned long)large, (unsigned long)none);
    printf("%ld %ld\n", (long)large, (long)none);
    return 0;
}
