/* What is in memory that is allocated once. */
#include <stdlib.h>
int never(int n) {
    int value, *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 3;
    for (int i = 0; i < n; i++)
        *p = 5;
    value = *p;
    free(p);
    if (value == 4)
        return 1; //~ unreachable
    return 0;
}
int maybe(int n) {
    int value, *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 3;
    for (int i = 0; i < n; i++)
        *p = 5;
    value = *p;
    free(p);
    if (value == 5)
        return 1; //~ reachable
    return 0;
}
