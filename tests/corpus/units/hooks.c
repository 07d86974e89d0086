/* The program's own table of the functions that allocate and free, as an input. */
#include <stdlib.h>
struct hooks {
    void *(*resize)(void *, size_t);
    void (*release)(void *);
};
struct buffer {
    unsigned char *bytes;
    size_t length;
    struct hooks hooks;
};
struct hooks standard = {realloc, free};

unsigned char *reserve(struct buffer *buffer, size_t needed) {
    if (needed <= buffer->length)
        return buffer->bytes;
    if (needed > 64)
        return NULL;
    unsigned char *bytes = buffer->hooks.resize(buffer->bytes, needed);
    if (bytes == NULL) {
        buffer->hooks.release(buffer->bytes);
        buffer->bytes = NULL;
        return NULL;
    }
    buffer->bytes = bytes;
    buffer->length = needed;
    return bytes;
}

int shrink(struct buffer *buffer) {
    if (buffer->hooks.resize != realloc || buffer->length == 0)
        return 0;
    unsigned char *bytes = buffer->hooks.resize(buffer->bytes, 1);
    if (bytes == NULL)
        return 0;
    buffer->bytes = bytes;
    buffer->length = 1;
    return 1;
}

__attribute__((noreturn)) void give_up(const char *why);

struct handlers {
    void (*fail)(const char *why);
};

int checked(int x) {
    if (x > 3)
        give_up("large");
    return x;
}

/* A function that does not return is named, and not called. */
int replaced(struct handlers *handlers) {
    if (handlers->fail == give_up)
        return 0;
    handlers->fail = give_up;
    return 1;
}
