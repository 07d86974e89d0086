/* A scheduler, allocators, big numbers, a heap, options, the environment. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define MAX 4
struct task {
    void (*run)(void *);
    void *arg;
    uint32_t due, period;
    uint8_t prio, enabled;
};
static struct task tasks[MAX];
static uint8_t task_count;
int sched_add(void (*run)(void *), void *arg, uint32_t period, uint8_t prio) {
    if (!run || task_count >= MAX)
        return -1;
    struct task *t = &tasks[task_count++];
    t->run = run;
    t->arg = arg;
    t->period = period;
    t->due = period;
    t->prio = prio;
    t->enabled = 1;
    return task_count - 1;
}
int sched_run(uint32_t now) {
    struct task *best = NULL;
    for (int i = 0; i < task_count && i < MAX; i++) {
        struct task *t = &tasks[i];
        if (!t->enabled || (int32_t)(now - t->due) < 0)
            continue;
        if (!best || t->prio > best->prio)
            best = t;
    }
    if (!best)
        return 0;
    best->due += best->period;
    if (best->run)
        best->run(best->arg);
    return 1;
}
struct block {
    size_t size;
    struct block *next;
    int free;
};
struct block *find_fit(struct block *list, size_t want) {
    struct block *best = NULL;
    for (; list; list = list->next)
        if (list->free && list->size >= want && (!best || list->size < best->size))
            best = list;
    return best;
}
void coalesce(struct block *b) {
    while (b && b->next) {
        if (b->free && b->next->free && (char *)b + sizeof *b + b->size == (char *)b->next) {
            b->size += sizeof *b + b->next->size;
            b->next = b->next->next;
        } else
            b = b->next;
    }
}
static unsigned char pool[64];
static size_t used;
void *pool_alloc(size_t n) {
    n = (n + 7) & ~(size_t)7;
    if (n == 0 || n > sizeof pool - used)
        return NULL;
    void *p = pool + used;
    used += n;
    return p;
}
typedef struct {
    int len;
    uint32_t d[4];
} big;
int big_cmp(const big *a, const big *b) {
    if (a->len != b->len)
        return a->len < b->len ? -1 : 1;
    for (int i = a->len - 1; i >= 0; i--)
        if (a->d[i] != b->d[i])
            return a->d[i] < b->d[i] ? -1 : 1;
    return 0;
}
int big_add(big *r, const big *a, const big *b) {
    uint64_t c = 0;
    int i;
    for (i = 0; i < a->len || i < b->len; i++) {
        if (i >= 4)
            return -1;
        c += (uint64_t)(i < a->len ? a->d[i] : 0) + (i < b->len ? b->d[i] : 0);
        r->d[i] = (uint32_t)c;
        c >>= 32;
    }
    if (c) {
        if (i >= 4)
            return -1;
        r->d[i++] = 1;
    }
    r->len = i;
    return 0;
}
struct heap {
    int *a;
    int n, cap;
};
int heap_push(struct heap *h, int x) {
    if (h->n >= h->cap)
        return -1;
    int i = h->n++;
    while (i > 0 && h->a[(i - 1) / 2] > x) {
        h->a[i] = h->a[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h->a[i] = x;
    return i;
}
int getopt_like(int argc, char *argv[], const char *opts, int *index) {
    if (*index >= argc || argv[*index] == NULL || argv[*index][0] != '-' || argv[*index][1] == 0)
        return -1;
    if (strcmp(argv[*index], "--") == 0) {
        ++*index;
        return -1;
    }
    const char *p = strchr(opts, argv[*index][1]);
    if (!p || argv[*index][1] == ':')
        return '?';
    ++*index;
    return *p;
}
const char *level_name(void) {
    const char *v = getenv("LOG_LEVEL");
    if (!v)
        return "default";
    if (!strcmp(v, "debug"))
        return "d";
    return v[0] ? "other" : "empty";
}
