// The generators of stdlib.h, bit for bit.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    unsigned seed = 7;
    for (int i = 0; i < 5; i++)
        printf("%d ", rand());
    srand(12345);
    for (int i = 0; i < 40; i++)
        printf("%d ", rand());
    srandom(0);
    for (int i = 0; i < 5; i++)
        printf("%ld ", random());
    for (int i = 0; i < 5; i++)
        printf("%d ", rand_r(&seed));
    return 0;
}
