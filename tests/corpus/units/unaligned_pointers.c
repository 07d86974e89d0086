/* Objects as bytes: pointers stored where none is aligned, addresses just behind an object, bytes that are freed. */
#include <stddef.h>
#include <stdlib.h>

struct head {
    struct head *next;
    unsigned char tag;
};

struct long_head {
    struct head *next;
    unsigned char tag;
    struct head *list;
};

void *make(size_t size);

struct head **list_of(struct head *head) {
    return head->tag == 3 ? &((struct long_head *)head)->list : &head->next;
}

struct head *chain(struct head *first, size_t offset) {
    char *room = make(sizeof(struct head) + offset);
    struct head *head;
    if (offset != 6)
        return NULL;
    head = (struct head *)(room + offset);
    __builtin_memcpy(&head->next, &first, sizeof first);
    return head;
}

static struct head *next_of(void *object) {
    return ((struct head *)object)->next;
}

void drop(void *object) {
    if (object != NULL && next_of(object) != NULL)
        next_of(object)->tag = 0;
    free(object);
}
