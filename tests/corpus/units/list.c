/* Singly linked lists: insertion, removal, reversal, merging, cycles. */
#include <stddef.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *next;
};

struct node *insert_sorted(struct node *list, struct node *item) {
    struct node **at = &list;
    while (*at && (*at)->key < item->key)
        at = &(*at)->next;
    item->next = *at;
    *at = item;
    return list;
}

struct node *remove_key(struct node *list, int key) {
    struct node *previous = NULL;
    for (struct node *p = list; p; previous = p, p = p->next) {
        if (p->key != key)
            continue;
        if (previous)
            previous->next = p->next;
        else
            list = p->next;
        return list;
    }
    return list;
}

struct node *reverse(struct node *list) {
    struct node *result = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = result;
        result = list;
        list = next;
    }
    return result;
}

struct node *merge(struct node *a, struct node *b) {
    struct node head = {0, NULL}, *tail = &head;
    while (a && b) {
        if (a->key <= b->key) {
            tail->next = a;
            a = a->next;
        } else {
            tail->next = b;
            b = b->next;
        }
        tail = tail->next;
    }
    tail->next = a ? a : b;
    return head.next;
}

int has_cycle(const struct node *list) {
    const struct node *slow = list, *fast = list;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
        if (slow == fast)
            return 1;
    }
    return 0;
}

int points_to_itself(const struct node *p) {
    return p && p == p->next ? 1 : 0;
}

int push(struct node **list, int key) {
    struct node *n = malloc(sizeof *n);
    if (!n)
        return -1;
    n->key = key;
    n->next = *list;
    *list = n;
    return n->next ? 1 : 0;
}

void free_list(struct node *list) {
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int nth_from_end(const struct node *list, int n) {
    const struct node *ahead = list;
    if (n < 1)
        return -1;
    while (n-- > 0) {
        if (!ahead)
            return -2;
        ahead = ahead->next;
    }
    while (ahead) {
        ahead = ahead->next;
        list = list->next;
    }
    return list->key;
}
