// Reading what was freed.
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    *p = 3;
    free(p);
    return *p; //~ object no longer exists (heap object)
}
