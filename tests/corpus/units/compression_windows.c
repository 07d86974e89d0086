/* Compressors: buffers whose places in memory are compared, large tables indexed by a hash, loops over whole tables. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#define TABLE 4096
struct state {
    uint32_t table[TABLE];
    const unsigned char *window;
    uint32_t window_size, offset;
};
typedef union {
    char room[sizeof(struct state)];
    struct state inner;
} stream;
/* Whether the end of a block lies in the window. */
int overlaps(const stream *s, const char *block, int size) {
    const unsigned char *window = s->inner.window;
    const char *end = block + size;
    if (end > (const char *)window && end < (const char *)window + s->inner.window_size)
        return 1;
    return block < (const char *)window ? 2 : 3;
}
/* How far a block lies behind the beginning of the window, of which it is a part. */
ptrdiff_t behind(const struct state *s, const char *block) {
    ptrdiff_t distance = (const unsigned char *)block - s->window;
    if (distance > 3)
        return distance;
    return 0;
}
/* What lies behind a loop of thousands of turns. */
void rescale(struct state *s, uint32_t delta) {
    if (s->offset + delta > 0x80000000u) {
        for (int i = 0; i < TABLE; i++) {
            if (s->table[i] < delta)
                s->table[i] = 0;
            else
                s->table[i] -= delta;
        }
        if (s->window_size > 65536)
            s->window_size = 65536;
    }
}
static uint32_t hash4(const unsigned char *p) {
    uint32_t word;
    memcpy(&word, p, sizeof word);
    return (word * 2654435761u) >> 20;
}
/* Enters positions into a table by the hash of what is there. */
int enter(struct state *s, const unsigned char *data, uint32_t size) {
    int met = 0;
    if (size < 8)
        return -1;
    for (uint32_t at = s->offset; at < size - 4; at += 3) {
        uint32_t h = hash4(data + at);
        if (s->table[h] > at)
            met++;
        s->table[h] = at;
    }
    return met;
}
