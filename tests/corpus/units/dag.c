/* Graphs: shared nodes, marks, a cycle found by depth-first search, the problem of Josephus. */
#include <stddef.h>
#include <stdlib.h>

struct vertex {
    int mark;
    struct vertex *out[2];
};

int shares(const struct vertex *a, const struct vertex *b) {
    return a->out[0] && a->out[0] == b->out[1] ? 1 : 0;
}

int diamond(const struct vertex *v) {
    if (!v->out[0] || !v->out[1])
        return 0;
    if (v->out[0] == v->out[1])
        return 1;
    if (v->out[0]->out[0] && v->out[0]->out[0] == v->out[1]->out[0])
        return 2;
    return 3;
}

int cyclic(struct vertex *v, int depth) {
    if (!v || depth > 3)
        return 0;
    if (v->mark == 1)
        return 1;
    if (v->mark == 2)
        return 0;
    v->mark = 1;
    for (int i = 0; i < 2; i++)
        if (cyclic(v->out[i], depth + 1))
            return 1;
    v->mark = 2;
    return 0;
}

struct person { int number; struct person *next; };

int josephus(int n, int k) {
    struct person people[5];
    if (n < 1 || n > 5 || k < 1 || k > 3)
        return -1;
    for (int i = 0; i < n; i++) {
        people[i].number = i + 1;
        people[i].next = &people[(i + 1) % n];
    }
    struct person *p = &people[n - 1];
    while (p->next != p) {
        for (int i = 1; i < k; i++)
            p = p->next;
        p->next = p->next->next;
    }
    return p->number;
}

struct value { int refs; struct value *link; };

int same_target(struct value *a, struct value *b) {
    a->refs = 1;
    b->refs = 2;
    if (a->refs == 2)
        return 1;
    return 0;
}
