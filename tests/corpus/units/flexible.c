/* Flexible array members: read, counted by a member, allocated. */
#include <stdlib.h>
#include <string.h>

struct packet {
    unsigned char type;
    unsigned short length;
    unsigned char payload[];
};

int checksum_ok(const struct packet *p) {
    unsigned sum = 0;
    if (p->length == 0)
        return 0;
    for (unsigned i = 0; i < p->length; i++)
        sum += p->payload[i];
    return (sum & 0xff) == p->type;
}

struct packet *copy(const unsigned char *bytes, unsigned short length) {
    struct packet *p;
    if (length > 16)
        return NULL;
    p = malloc(sizeof *p + length);
    if (!p)
        return NULL;
    p->type = length ? bytes[0] : 0;
    p->length = length;
    memcpy(p->payload, bytes, length);
    return p;
}

struct old { int count; int items[1]; };
struct zero { int count; int items[0]; };

int last_is(const struct old *o, int value) {
    if (o->count < 1)
        return 0;
    return o->items[o->count - 1] == value;
}

int first_of_zero(const struct zero *z) {
    return z->count > 0 && z->items[0] == 3;
}
