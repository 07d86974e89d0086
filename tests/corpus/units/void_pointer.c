/* Generic containers by `void *`: a comparison callback, a copy of bytes, a tagged cast. */
#include <stddef.h>
#include <string.h>

enum kind { KIND_INT, KIND_TEXT, KIND_PAIR };

struct pair {
    short a, b;
};

int describe(enum kind kind, const void *data) {
    if (data == NULL)
        return -1;
    switch (kind) {
    case KIND_INT:
        return *(const int *)data > 100 ? 1 : 0;
    case KIND_TEXT:
        return strcmp((const char *)data, "on") == 0 ? 3 : 2;
    case KIND_PAIR: {
        const struct pair *p = data;
        return p->a == p->b && p->a != 0 ? 5 : 4;
    }
    }
    return -2;
}

void swap(void *left, void *right, size_t size) {
    unsigned char *a = left, *b = right;
    if (a == b)
        return;
    for (size_t i = 0; i < size; i++) {
        unsigned char t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
}

const void *find(const void *base, size_t count, size_t size, const void *key) {
    const char *at = base;
    while (count-- > 0) {
        if (memcmp(at, key, size) == 0)
            return at;
        at += size;
    }
    return NULL;
}
