// Structures that begin like others, unions of pointers, headers before what a pointer leads to: declarations do not say
// what is there, accesses do.
#include <stdlib.h>

struct cursor {
    struct table *table;
};

struct rows {
    struct cursor base;
    int row, end;
    char *name;
};

int at_end(struct cursor *cursor) {
    struct rows *rows = (struct rows *)cursor;
    return rows->row >= rows->end;
}

int is_named(struct cursor *cursor) {
    if (((struct rows *)cursor)->end > 3)
        return 0;
    return ((struct rows *)cursor)->name[0] == 'n';
}

struct schema {
    int cookie, generation;
};

struct query {
    struct query *next;
    int flags;
};

struct item {
    int kind;
    union {
        char *text;
        struct schema *schema;
        struct query *query;
    } u;
};

int is_flagged(struct item *item) {
    if (item->kind == 7)
        return item->u.query->next->flags == 12;
    return item->u.schema->generation < 5;
}

int is_chained(struct item *item) {
    struct query *query = item->u.query;
    return query->flags == 3 && query->next->flags == 4;
}

int is_large(void *block) {
    long *words = block;
    words--;
    return words[0] > 100;
}

void release(void *block) {
    long *words = block;
    if (words)
        free(words - 1);
}

struct list {
    int count;
    struct item items[];
};

struct statement {
    struct list *from;
};

int is_generated(struct statement *statement) {
    if (statement->from->items[0].u.query->next->flags == 3)
        return 1;
    return statement->from->items[1].kind == 4;
}

struct coder {
    unsigned long init;
    int step;
};

int is_begun(struct coder *coder) {
    if ((unsigned long)&is_begun != coder->init) //~? unknown
        return coder->step == 3;
    return 0;
}
