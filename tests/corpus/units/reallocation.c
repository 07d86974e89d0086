/* Allocations of sizes that depend on the input, any of which may fail. */
#include <stdlib.h>

int shrink(int n) {
    char *p = malloc(8), *q;
    if (!p)
        return -1;
    q = realloc(p, (size_t)n);
    if (!q) {
        if (n != 0)
            free(p);
        return -2;
    }
    q[0] = 1;
    n = q[0];
    free(q);
    return n;
}

char *room(unsigned n, unsigned m) {
    char *p = malloc(n & 7), *q;
    if (!p)
        return NULL;
    q = malloc(m & 3);
    if (!q) {
        free(p);
        return NULL;
    }
    if ((n & 7) == 5 && (m & 3) == 2)
        p[4] = q[1] = 1;
    free(q);
    return p;
}

/* Looked at, not into: nobody has written there. */
int takes_both(const int *limits, char *buffer) {
    if (!limits || !buffer)
        return 0;
    free(buffer);
    return 1;
}

/* Rows of an array that may be freed. */
void forget(int (*rows)[3]) {
    if (rows[1][2] == 7)
        free(rows);
}
