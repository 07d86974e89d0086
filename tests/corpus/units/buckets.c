/* A hash table whose buckets are lists, with the links inside of the pairs: lists that nothing ends. */
#include <stddef.h>
#include <string.h>
struct link {
    struct link *previous, *next;
};
struct pair {
    struct link link;
    size_t hash;
    int value;
    size_t length;
    char key[1];
};
struct bucket {
    struct link *first, *last;
};
struct table {
    size_t size, order;
    struct bucket *buckets;
};

static struct pair *find(struct bucket *bucket, const char *key, size_t length, size_t hash) {
    if (bucket->first == NULL)
        return NULL;
    struct link *link = bucket->first;
    while (1) {
        struct pair *pair = (struct pair *)((char *)link - offsetof(struct pair, link));
        if (pair->hash == hash && pair->length == length && memcmp(pair->key, key, length) == 0)
            return pair;
        if (link == bucket->last)
            break;
        link = link->next;
    }
    return NULL;
}

int *get(struct table *table, const char *key, size_t length, unsigned seed) {
    unsigned hash = seed;
    for (size_t i = 0; i < length; i++)
        hash = (hash << 5) + hash + (unsigned char)key[i];
    size_t mask = ((size_t)1 << table->order) - 1;
    struct pair *pair = find(&table->buckets[hash & mask], key, length, hash);
    return pair ? &pair->value : NULL;
}
