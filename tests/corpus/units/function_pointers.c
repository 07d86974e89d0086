/* Function pointers: as a parameter, in a structure, in an array, returned, compared. */
#include <stddef.h>

typedef int (*binary)(int, int);

static int add(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
static int least(int a, int b) { return a < b ? a : b; }

static const binary table[] = {add, least, NULL};

int fold(const int *values, int count, binary op) {
    if (op == NULL || count <= 0)
        return 0;
    int result = values[0];
    for (int i = 1; i < count; i++)
        result = op(result, values[i]);
    return result > 50;
}

int by_index(unsigned which, int a, int b) {
    if (which >= sizeof table / sizeof table[0])
        return -1;
    if (!table[which])
        return -2;
    return table[which](a, b) == 12;
}

struct driver {
    const char *name;
    int (*open)(int port);
    int (*read)(char *buffer, int size);
    void (*close)(void);
};

int poll(struct driver *driver, int port) {
    char buffer[8];
    int got;
    if (!driver || !driver->open)
        return -1;
    if (driver->open(port) < 0)
        return -2;
    got = driver->read ? driver->read(buffer, sizeof buffer) : 0;
    if (driver->close)
        driver->close();
    if (got <= 0)
        return -3;
    return buffer[0] == '$' ? 1 : 0;
}

binary choose(char sign) {
    return sign == '+' ? add : sign == '<' ? least : NULL;
}

int is_addition(binary op) {
    return op == add;
}

struct handler {
    int code;
    int (*handle)(void *context, int code);
    void *context;
};

int dispatch(struct handler *handlers, int count, int code) {
    for (int i = 0; i < count; i++)
        if (handlers[i].code == code && handlers[i].handle)
            return handlers[i].handle(handlers[i].context, code);
    return -1;
}

/* Functions that another file defines: their addresses are not null. */
void *pool_get(unsigned size);
void pool_put(void *block);

struct pool {
    void *(*get)(unsigned);
    void (*put)(void *);
};

int ready(struct pool *pool) {
    if (!pool->get)
        pool->get = pool_get;
    if (!pool->put)
        pool->put = pool_put;
    return pool->get != 0;
}

void *renew(struct pool *pool, void *block) {
    ready(pool);
    pool->put(block);
    return pool->get(8);
}
