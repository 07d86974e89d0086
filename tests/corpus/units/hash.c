/* Hash tables: chains, open addressing. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct entry {
    char *key;
    int value;
    struct entry *next;
};
struct table {
    struct entry **buckets;
    unsigned size, count;
};
unsigned hash(const char *s) {
    unsigned h = 5381;
    while (*s)
        h = h * 33 ^ (unsigned char)*s++;
    return h;
}
struct entry *lookup(struct table *t, const char *key) {
    struct entry *e;
    if (t->size == 0)
        return NULL;
    for (e = t->buckets[hash(key) % t->size]; e; e = e->next)
        if (strcmp(e->key, key) == 0)
            return e;
    return NULL;
}
struct slot {
    uint32_t key;
    uint8_t used;
};
int probe(const struct slot slots[8], uint32_t key) {
    unsigned i = key % 8, n = 0;
    while (slots[i].used) {
        if (slots[i].used == 1 && slots[i].key == key)
            return (int)i;
        i = (i + 1) & 7;
        if (++n == 8)
            return -1;
    }
    return -2;
}
