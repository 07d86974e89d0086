// One past the end of a heap object.
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    p[4] = 1; //~ out of bounds: 1 bytes at offset 4 of an object of 4 bytes (heap object)
    return 0;
}
