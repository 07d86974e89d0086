/* Accesses that went well once: they do so again, until the pointer or the index changes, or something is gone. */
#include <stdlib.h>

struct cell {
    int key;
    struct cell *next;
};

/* Nothing fails but the first access to what each allocation gives. */
int filled(int n)
{
    struct cell *t = malloc(sizeof(struct cell));
    t->key = 0;
    for (int i = 1; i < n; i++) {
        t->next = malloc(sizeof(struct cell));
        t = t->next;
        t->key = i;
    }
    return t->key;
}

/* The second access may come after the end of what it leads to. */
int freed(int n)
{
    int *p = malloc(sizeof(int));
    if (!p)
        return 0;
    *p = n;
    if (n == 7)
        free(p);
    *p = 1;
    n = *p;
    free(p);
    return n;
}

/* Two rings of pointers through variables. */
int rings(int n, int m)
{
    void *a = &a, *b, *c, **p = &a;
    b = &c;
    c = &b;
    if (m)
        p = &b;
    while (n-- > 0)
        p = *p;
    return p == &c;
}
