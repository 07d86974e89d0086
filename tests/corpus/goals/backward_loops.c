/* Loops without bound that build lists and have nothing to do with the goal; what it demands was computed before them, and
   is no interval. */
#include <stdlib.h>

struct cell {
    int value;
    struct cell *next;
};

static struct cell *push(struct cell *rest, int value) {
    struct cell *cell = malloc(sizeof *cell);
    if (!cell)
        return rest;
    cell->value = value;
    cell->next = rest;
    return cell;
}

static int is_wanted(int square, int offset) {
    if (square + 5 == offset)
        return 1; //~ reachable
    return 0;
}

int never(int n, int x) {
    struct cell *list = 0;
    int square = x * x;
    for (int i = 0; i < n; i++)
        list = push(list, i);
    for (struct cell *c = list; c; c = c->next)
        n += c->value & 3;
    if (square == 1367)
        return n; //~ unreachable
    return 0;
}

int maybe(int n, int x) {
    struct cell *list = 0;
    int square = x * x;
    for (int i = 0; i < n; i++)
        list = push(list, i);
    for (struct cell *c = list; c; c = c->next)
        n += c->value & 3;
    return is_wanted(square, 1374);
}
