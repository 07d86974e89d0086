/* Large objects of which most is set at once, and the rest stays as it was. */
#include <stdlib.h>
#include <string.h>
struct window {
    int head;
    unsigned short hash[40000];
    int tail;
};
static unsigned char table[100000];

int slide(struct window *w, int k) {
    memset(w->hash, 0, sizeof w->hash);
    if (w->hash[k & 255] != 0 && k > 9) //~ infeasible
        return 3;
    if (w->head == 5 && w->tail == 9)
        return 1;
    memset(table + 3, 1, sizeof table - 3);
    if (table[2] == 9 && table[k & 3] == 1)
        return 2;
    return 0;
}

int expand(unsigned n, const char *from) {
    if (n > 3000000000u)
        return -1;
    char *to = malloc(n + 5ul);
    if (!to)
        return -2;
    to[0] = from[0];
    memset(to + 1, 0, n + 4ul);
    int found = to[0] == 'x' && n > 2;
    free(to);
    return found;
}
