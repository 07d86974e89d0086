/* Structures of which only the name is known, and a stub that writes more than the object was thought to have. */
#include <stddef.h>
#include <stdint.h>

struct world;
struct head {
    struct head *next;
    int kind;
};
struct table {
    struct head *next;
    int kind;
    int sizes[8];
};

int look_up(struct table *table, int key);
int step(struct world *world);

unsigned seed(struct world *world) {
    uintptr_t number = (uintptr_t)world;
    return number == 0 ? 0 : 1;
}

int advance(struct world *a, struct world *b) {
    if (a == b)
        return 0;
    return step(a) == step(b) ? 1 : 2;
}

int find(struct head *head, int key) {
    int found;
    if (head->kind != 5)
        return -1;
    found = look_up((struct table *)head, key);
    return head->kind == 6 ? found : 0;
}
