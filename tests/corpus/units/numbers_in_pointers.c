/* Numbers in pointers: what callbacks are given in their `void *`, sentinels, keys that are hashed. */
#include <stddef.h>
#include <stdint.h>

#define TO_INT(p) ((int)(long)(p))
#define FAILED ((void *)-1)

int truncated(void *user_data) {
    if ((int)(long)user_data == 3)
        return 1;
    return 0;
}

int switched(void *context, int x) {
    switch (TO_INT(context)) {
    case 1:
        return x;
    case 2:
        return -1;
    case 17:
        return 17;
    default:
        return 0;
    }
}

int flags(const void *app) {
    uintptr_t bits = (uintptr_t)app;
    int n = 0;
    if (bits & 1)
        n += 1;
    if (bits & 0x20)
        n += 2;
    if (bits > 100 && bits < 120)
        n += 4;
    return n;
}

/* A number is as good as any other. */
int compared(void *data) {
    if ((long)data == 5)
        return 1;
    if ((long)data < 0)
        return 2;
    if ((size_t)data - 8 < 4)
        return 3;
    return 0;
}

struct item {
    void *key;
    int value;
};

/* Keys are compared and hashed, not looked behind. */
int lookup(const struct item table[4], const void *key) {
    unsigned at = ((unsigned)(uintptr_t)key >> 4) & 3;
    if (table[at].key == key)
        return table[at].value;
    return -1;
}

/* What is looked behind is no number. */
int looked(const int *p) {
    if (((uintptr_t)p >> 12) == 0) {
        if (p)
            return 2;
        return 0;
    }
    if (p[1] == 7)
        return 3;
    return 1;
}

void *map(size_t size);

/* What a stub gives may be a sentinel. */
int mapped(size_t size) {
    char *p = map(size);
    if (p == FAILED)
        return -1;
    if (!p)
        return 0;
    return p[0];
}

typedef void (*destructor)(void *);

/* Sentinels among functions. */
int bind(void *value, destructor release) {
    if (release == (destructor)0)
        return 0;
    if (release == (destructor)-1)
        return 1;
    if (release != (destructor)1) {
        release(value);
        return 3;
    }
    return 2;
}

struct column {
    const char *text;
};

/* A sentinel among names is not looked at. */
int named(const struct column *c) {
    if (!c->text)
        return 0;
    if (c->text == (const char *)1)
        return 1;
    if (c->text[0] == 'x')
        return 2;
    return 3;
}

/* Two values of one pointer exclude each other. */
int twice(void *p) {
    int n = 0;
    if (p == (void *)1)
        n++;
    if (TO_INT(p) == 1)
        n += 2;
    if (n == 1) //~ infeasible
        return -1;
    return n;
}
