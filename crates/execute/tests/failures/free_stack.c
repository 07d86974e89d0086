// Freeing a variable.
#include <stdlib.h>
int main(void) {
    int x;
    free(&x); //~ free: offset 0 of an object is not the start of a heap object (variable `x` of `main`)
    return 0;
}
