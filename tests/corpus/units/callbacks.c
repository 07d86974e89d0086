/* Callbacks: with a context, as visitors, sorting. */
#include <stdlib.h>
typedef int visitor(int value, void *context);

int visit(const int *values, int count, visitor *f, void *context) {
    for (int i = 0; i < count; i++) {
        int stop = f(values[i], context);
        if (stop)
            return i;
    }
    return -1;
}

static int above(int value, void *context) {
    int *limit = context;
    return value > *limit;
}

int first_above(const int *values, int count, int limit) {
    int at = visit(values, count, above, &limit);
    if (at < 0)
        return 0;
    return values[at] == limit + 1;
}

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int median_is(int values[3], int m) {
    qsort(values, 3, sizeof values[0], compare);
    return values[1] == m;
}

struct events {
    void (*on_start)(void);
    int (*on_data)(const char *data, unsigned length);
    struct events *next;
};

int notify(struct events *e, const char *data, unsigned length) {
    int handled = 0;
    for (; e; e = e->next) {
        if (e->on_start)
            e->on_start();
        if (e->on_data && e->on_data(data, length) > 0)
            handled++;
    }
    return handled;
}

/* A function that frees comes from a function without a body, and another one is written by one. */
extern void free(void *);
typedef void *(*allocator)(void *old, unsigned long size);
struct arena {
    allocator resize;
    void *held;
};

void *release(void *old, unsigned long size) {
    if (size == 0)
        free(old);
    return 0;
}

allocator chosen(void);
void fetch(struct arena *a);

int emptied(void *held) {
    allocator resize = chosen();
    if (resize == release)
        return resize(held, 0) == 0;
    return 2;
}

int fetched(void) {
    struct arena a = {0, 0};
    fetch(&a);
    if (a.resize && a.resize(a.held, 4))
        return 1;
    return 0;
}
