/* Doubly linked lists, rings with a sentinel, and the lists of Linux inside of structures. */
#include <stddef.h>

struct dnode {
    struct dnode *prev, *next;
    int key;
};

struct dlist {
    struct dnode *head, *tail;
    int count;
};

void append(struct dlist *l, struct dnode *n) {
    n->next = NULL;
    n->prev = l->tail;
    if (l->tail)
        l->tail->next = n;
    else
        l->head = n;
    l->tail = n;
    l->count++;
}

int unlink_node(struct dlist *l, struct dnode *n) {
    if (n->prev)
        n->prev->next = n->next;
    else if (l->head == n)
        l->head = n->next;
    else
        return -1;
    if (n->next)
        n->next->prev = n->prev;
    else
        l->tail = n->prev;
    return 0;
}

int consistent(const struct dnode *n) {
    if (n->next && n->next->prev != n)
        return 0;
    if (n->prev && n->prev->next != n)
        return 0;
    return 1;
}

struct list_head {
    struct list_head *next, *prev;
};

#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

struct task {
    int priority;
    struct list_head link;
    int state;
};

int list_empty(const struct list_head *head) {
    if (head->next == head)
        return 1;
    return 0;
}

int highest(struct list_head *head) {
    int best = -1;
    for (struct list_head *p = head->next; p != head; p = p->next) {
        struct task *t = container_of(p, struct task, link);
        if (t->state == 1 && t->priority > best)
            best = t->priority;
    }
    return best;
}

void list_del(struct list_head *entry) {
    if (entry->next == entry)
        return;
    entry->next->prev = entry->prev;
    entry->prev->next = entry->next;
}

struct ring { int value; struct ring *next; };

int ring_length(const struct ring *r) {
    int n = 1;
    if (!r)
        return 0;
    for (const struct ring *p = r->next; p != r; p = p->next) {
        if (++n > 4)
            return -1;
    }
    return n;
}
