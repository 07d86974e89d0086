/* Sixteen branches that allocate, so that states stay apart: 65,536 paths forward. What the goal demands of the code leaves
   one way back at each of them. */
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

#define DIGIT(bit)                       \
    if (bits & (1u << (bit))) {          \
        list = push(list, bit);          \
        code = code * 4 + 1;             \
    } else {                             \
        code = code * 4 + 2;             \
    }
#define FOUR(bit) DIGIT(bit) DIGIT(bit + 1) DIGIT(bit + 2) DIGIT(bit + 3)

/* 3 is no digit of such a number. */
struct cell *never(unsigned bits) {
    struct cell *list = 0;
    unsigned code = 0;
    FOUR(0) FOUR(4) FOUR(8) FOUR(12)
    if (code == 0x55A5375Au)
        return 0; //~ unreachable
    return list;
}

struct cell *maybe(unsigned bits) {
    struct cell *list = 0;
    unsigned code = 0;
    FOUR(0) FOUR(4) FOUR(8) FOUR(12)
    if (code == 0x55A5669Au)
        return 0; //~ reachable
    return list;
}
