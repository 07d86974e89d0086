/* Inputs in which pointers lead to one object: found where the program compares, orders or subtracts them. */
#include <stddef.h>

struct node {
    int value;
    struct node *next, *previous;
};

struct tree {
    struct tree *left, *right, *parent;
    int key;
};

static struct node sentinel;

int same(int *p, int *q) {
    if (p == q)
        return 1;
    return *p == *q ? 2 : 3;
}

int both_null(int *p, int *q) {
    if (p == q && p == NULL)
        return 1;
    return 0;
}

int cycle(struct node *p) {
    if (p == p->next)
        return 1;
    if (p->next && p->next->next == p)
        return 2;
    return 0;
}

int parent(struct tree *t) {
    if (t->left && t->left->parent == t)
        return 1;
    return 0;
}

int ring(struct node *head) {
    int n = 0;
    for (struct node *p = head->next; p != head; p = p->next)
        if (++n == 3)
            return -1;
    return n;
}

int end_of_list(struct node *p) {
    if (p == &sentinel)
        return 1;
    return 0;
}

int order(const char *start, const char *end) {
    if (start < end)
        return end - start > 2 ? 2 : 1;
    return 0;
}

struct owner {
    struct owned *owned;
};

struct owned {
    struct owner *owner;
    int state;
};

/* The owned thing must lead back to its owner, in the middle of a decision. */
int consistent(struct owner *o) {
    struct owned *d;
    if (o == 0)
        return 0;
    d = o->owned;
    if (d == 0 || d->owner != o || (d->state != 3 && d->state != 9))
        return 0;
    return 1;
}

/* What contracts say is one object is one. */
/*@ requires p == q; */
int told_same(int *p, int *q, int x) {
    *p = 1;
    *q = x;
    return *p == 7 ? 1 : 0;
}

/*@ requires \valid(from + (0 .. 4)) && at == from + 2; */
int told_within(int *at, int *from, int x) {
    *at = 1;
    from[2] = x;
    return *at == 7 ? 1 : 0;
}

struct pair {
    int *first, *second;
};

/*@ requires p->first == p->second; */
int told_of_members(struct pair *p, int x) {
    *p->first = 1;
    *p->second = x;
    return *p->first == 7 ? 1 : 0;
}
