/* Ring buffers: bytes in and out, lines, writing until it is full. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
typedef struct {
    uint8_t *buf;
    size_t head, tail, cap;
    bool full;
} ring_t;
static inline bool ring_empty(const ring_t *r) {
    return !r->full && r->head == r->tail;
}
size_t ring_used(const ring_t *r) {
    if (r->full)
        return r->cap;
    if (r->head >= r->tail)
        return r->head - r->tail;
    return r->cap + r->head - r->tail;
}
int ring_put(ring_t *r, uint8_t b) {
    if (r == NULL || r->buf == NULL)
        return -1;
    if (r->full)
        return -2;
    r->buf[r->head] = b;
    r->head = (r->head + 1) % r->cap;
    if (r->head == r->tail)
        r->full = true;
    return 0;
}
int ring_get(ring_t *r, uint8_t *out) {
    if (!r || !out)
        return -1;
    if (ring_empty(r))
        return -2;
    *out = r->buf[r->tail];
    if (++r->tail == r->cap)
        r->tail = 0;
    r->full = false;
    return 0;
}
size_t ring_write(ring_t *r, const uint8_t *src, size_t n) {
    size_t i;
    for (i = 0; i < n; i++)
        if (ring_put(r, src[i]) != 0)
            break;
    return i;
}
#define LINE 16
int ring_line(ring_t *r, char line[LINE]) {
    int n = 0;
    uint8_t c;
    while (n < LINE - 1 && ring_get(r, &c) == 0) {
        if (c == '\n') {
            line[n] = 0;
            return n;
        }
        if (c == '\r')
            continue;
        line[n++] = (char)c;
    }
    line[n] = 0;
    return n == LINE - 1 ? -1 : -2;
}
