//@ options: --stub measure --stub checksum --stub blink
/* Functions with a body that stubs stand in for: what they compute does not matter to those who call them. */
#include <stddef.h>

struct reading {
    int channel, millivolts;
};

int measure(struct reading *to, int channel) {
    to->channel = channel;
    to->millivolts = 0;
    return channel < 8 ? 0 : -1;
}

unsigned checksum(data, size) const unsigned char *data; size_t size; {
    unsigned sum = 1;
    while (size--)
        sum = sum * 65599u ^ *data++;
    return sum * 2;
}

void blink(void) {
    for (;;)
        ;
}

int level(int channel) {
    struct reading r = {0};
    if (measure(&r, channel) < 0)
        return -1;
    if (r.millivolts > 3000)
        blink();
    return r.millivolts > 1500 ? 1 : 0;
}

int is_intact(const unsigned char *frame, size_t size) {
    if (size < 2)
        return 0;
    return checksum(frame, size) == 77;
}

/* Those who take the address get the stub, too. */
static unsigned (*const check)() = checksum;

int is_odd(const unsigned char *data) {
    if (check(data, (size_t)3) & 1)
        return 1;
    return 0;
}
