/* Pointers given to stubs that run out of objects from the heap, and come to others there. */
#include <stdlib.h>

struct frame {
    void *payload;
};

struct origins {
    int number;
    char *first;
};

unsigned short take(const unsigned char *at);

void forget(struct frame *frame) {
    free(frame->payload);
}

int count(struct frame *frame, const unsigned char *payload, unsigned long length) {
    struct origins *origins = frame->payload;
    const unsigned char *end = payload + length;
    int number = 0;
    if (length != 50)
        return -1;
    for (const unsigned char *at = payload; at != end; at += 2)
        number += take(at) != 0;
    origins->number = number;
    if (number > 9)
        forget(frame);
    return number;
}
