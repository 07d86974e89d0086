/* Decisions that only inputs make which then run into something undefined: reachable, though no test shows them. */
#include <stdlib.h>

int quotient(int n, int d) {
    if (n > 10) //~ infeasible
        return n / (d - d);
    return d;
}

int element(int n) {
    static const int table[3] = {1, 2, 3};
    if (n == 7) //~ infeasible
        return table[n];
    if (n >= 0 && n < 3)
        return table[n];
    return -1;
}

int after_free(int n) {
    int *p = malloc(sizeof *p);
    int last;
    if (!p)
        return -1;
    *p = n;
    last = *p;
    free(p);
    if (n > 10) //~ infeasible
        return *p;
    if (n > 11) //~ infeasible
        return 1;
    return last;
}
