/* What goes wrong for certain on some path: known before any input is, or about memory of the heap. */
#include <stdlib.h>
#include <string.h>

struct node { int key; struct node *next; };
static struct node *kept;

int divides(int a) {
    int z = 0;
    if (a > 10)
        return 5 / z;
    return a;
}

int follows_null(int a) {
    int *p = 0;
    if (a > 10)
        return *p;
    return a;
}

int frees_twice(int a) {
    int *p = malloc(sizeof *p);
    *p = a;
    free(p);
    if (a > 10)
        free(p);
    return a;
}

int uses_after_free(int a) {
    int *p = malloc(sizeof *p);
    *p = a;
    free(p);
    if (a > 10)
        return *p;
    return a;
}

int copies_too_much(int a) {
    char from[8] = "abcdefg", to[4];
    memcpy(to, from, a > 10 ? 5 : 4);
    return to[0];
}

int loses(int a) {
    int *p = malloc(sizeof *p);
    *p = a;
    if (a > 10)
        return 1;
    free(p);
    return a;
}

/* Loses the second node of a list. */
int loses_a_tail(int n) {
    struct node *list = 0;
    if (n < 0 || n > 2)
        return 0;
    for (int i = 0; i < n; i++) {
        struct node *node = calloc(1, sizeof *node);
        node->next = list;
        list = node;
    }
    free(list);
    return n;
}

/* Loses nothing: what it makes is returned, kept, or released. */
struct node *loses_nothing(int n) {
    struct node *first = malloc(sizeof *first), *second = malloc(sizeof *second);
    first->key = n;
    first->next = 0;
    second->key = n;
    second->next = 0;
    if (n > 10) {
        kept = second;
        return first;
    }
    if (n > 5) {
        first->next = second;
        return first;
    }
    free(first);
    free(second);
    return 0;
}

/* Grows what it has and forgets it. */
int loses_what_grew(int n) {
    char *p = malloc(4);
    char *grown = realloc(p, 8);
    grown[0] = (char)n;
    if (n == 3)
        return grown[0];
    free(grown);
    return 0;
}

/* Sizes that depend on the input and are always small are all tried. */
int zeroes_few(unsigned n)
{
    if (n == 0 || n > 4)
        return 0;
    int *all = calloc(n, sizeof *all);
    int last = all[n - 1];
    free(all);
    return last;
}

/* Elements whose bytes cannot be counted are not there: nothing is accessed outside of them. */
int counts_too_many(size_t n)
{
    char *pairs = calloc(n, 2);
    if (!pairs)
        return 0;
    int third = n > 3 ? pairs[3] : 1;
    free(pairs);
    return third;
}
