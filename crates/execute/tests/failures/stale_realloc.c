// A pointer to what realloc moved.
#include <stdlib.h>
int main(void) {
    int *old = malloc(4);
    *old = 1;
    int *new = realloc(old, 8);
    return *new + *old; //~ object no longer exists (heap object)
}
