// Freeing twice.
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    free(p);
    free(p); //~ free: freed twice
    return 0;
}
