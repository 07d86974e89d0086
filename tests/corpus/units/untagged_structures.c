/* Structures without a tag inside of unions, alike but for their members. */
#include <stddef.h>
struct input {
    union {
        struct {
            const unsigned char *start, *end, *current;
        } text;
        void *file;
    } from;
};
struct output {
    union {
        struct {
            unsigned char *buffer;
            size_t size;
            size_t *written;
        } text;
        void *file;
    } to;
};

int at_end(const struct input *input) {
    return input->from.text.current == input->from.text.end ? 1 : 0;
}

int put(struct output *output, unsigned char byte) {
    if (*output->to.text.written >= output->to.text.size)
        return 0;
    if (output->to.text.size > 8)
        return -1;
    output->to.text.buffer[(*output->to.text.written)++] = byte;
    return 1;
}
