/* What is written to new memory, however often, changes no variable. */
#include <stdlib.h>

int never(int n) {
    int limit = 3, *q = &limit, *p = 0;
    while (n-- > 0) {
        p = malloc(sizeof *p);
        if (p == 0)
            return 0;
        *p = n;
    }
    if (*q != 3)
        return 1; //~ unreachable
    return 0;
}
int maybe(int n) {
    int limit = 3, *q = &limit, *p = 0;
    while (n-- > 0) {
        p = n & 1 ? malloc(sizeof *p) : q;
        if (p == 0)
            return 0;
        *p = n;
    }
    if (*q != 3)
        return 1; //~ reachable
    return 0;
}
