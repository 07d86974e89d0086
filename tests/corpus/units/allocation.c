/* Allocations that fail: the second of two, the one that grows a buffer, one in a loop. */
#include <stdlib.h>
#include <string.h>

struct buffer {
    char *data;
    size_t used, room;
};

int reserve(struct buffer *b, size_t more) {
    char *grown;
    if (more > 64 || b->room > 64 || b->used > b->room)
        return -1;
    if (b->room - b->used >= more)
        return 0;
    grown = realloc(b->data, b->room + more);
    if (grown == NULL)
        return -2;
    b->data = grown;
    b->room += more;
    return 1;
}

struct pair {
    int *left, *right;
};

struct pair *make_pair(int left, int right) {
    struct pair *p = malloc(sizeof *p);
    if (!p)
        return NULL;
    p->left = malloc(sizeof *p->left);
    if (!p->left) {
        free(p);
        return NULL;
    }
    p->right = calloc(1, sizeof *p->right);
    if (!p->right) {
        free(p->left);
        free(p);
        return NULL;
    }
    *p->left = left;
    if (*p->right != 0) //~ infeasible
        return NULL; /* calloc gives zeros */
    *p->right = right;
    return p;
}

int chain(int n) {
    int made = 0;
    void *last = NULL;
    while (made < n && made < 3) {
        void **next = malloc(sizeof *next);
        if (!next)
            break;
        *next = last;
        last = next;
        made++;
    }
    while (last) {
        void **next = last;
        last = *next;
        free(next);
    }
    return made == n ? 0 : -1;
}

/* More than native execution has memory for, and less than machines have. */
int reserve_much(char **buffer, unsigned size) {
    char *p;
    if (size < 0x70000000)
        return 0;
    p = realloc(*buffer, size);
    if (!p) //~? unknown
        return -1;
    *buffer = p;
    return 1;
}
