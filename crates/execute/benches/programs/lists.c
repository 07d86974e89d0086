// Structures on the heap, reached through pointers.
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void) {
    long sum = 0;
    for (int round = 0; round < 20; round++) {
        struct node *head = 0;
        for (int i = 0; i < 20000; i++) {
            struct node *node = malloc(sizeof *node);
            node->value = i ^ round;
            node->next = head;
            head = node;
        }
        for (int pass = 0; pass < 5; pass++)
            for (struct node *node = head; node; node = node->next)
                sum += node->value;
        while (head) {
            struct node *next = head->next;
            free(head);
            head = next;
        }
    }
    return sum == 0;
}
