/* Functions without a body: results, what they write over, how often they are called. */
#include <stddef.h>
#include <string.h>

struct config {
    int baud, parity;
    char name[8];
};

int get_level(int *level);
int receive(void *buffer, int *length);
void load(struct config *c);
int ready(void);
void report(int code);

int overwritten(void) {
    int level = 0;
    if (get_level(&level) < 0)
        return -1;
    if (level == 0)
        return 0;
    return level > 100 ? 2 : 1;
}

int packet(void) {
    char buffer[16] = {0};
    int length = sizeof buffer;
    if (receive(buffer, &length) != 0)
        return -1;
    if (length != 4)
        return -2;
    return memcmp(buffer, "PING", 4) == 0 ? 1 : 0;
}

int defaults(void) {
    struct config c = {9600, 0, "tty"};
    load(&c);
    if (c.baud != 9600 && c.parity == 1)
        return 1;
    return c.name[0] == 't' ? 0 : 2;
}

int poll_ready(int most) {
    int tries = 0;
    while (!ready()) {
        if (++tries > most) {
            report(tries);
            return -1;
        }
    }
    return tries;
}

int changed(struct config *c) {
    if (c->baud != 1200)
        return 0;
    load(c);
    if (c->baud == 2400)
        return 1;
    return 2;
}

/* More calls than an execution notes. */
void tick(int number, long phase);

int ticks(int n) {
    if (n != 3000)
        return 0;
    for (int i = 0; i < n; i++)
        tick(i, (long)i * 3);
    return ready() == n;
}

/* Variable arguments through which pointers are written. */
struct number {
    int used, sign;
    int *digits;
};

int make_numbers(struct number *first, ...);
int add(const struct number *a, struct number *sum);

int odd_sum(const struct number *a) {
    struct number one, two;
    if (make_numbers(&one, &two, (void *)0) != 0)
        return -1;
    if (add(a, &two) != 0)
        return -2;
    return two.used > 0 && two.digits[0] % 2 != 0;
}

/* A function that may write over a part of a pointer. */
struct repository {
    int kind;
};

struct builder {
    struct repository *repository;
    int entries;
};

struct builder *make_builder(void);
void release(void *object);

int built(struct repository *repository) {
    struct builder *builder = make_builder();
    if (!builder)
        return -1;
    builder->repository = repository;
    builder->entries = 3;
    release(builder);
    return 0;
}
