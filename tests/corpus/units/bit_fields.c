/* Bit-fields: signed and unsigned, of several widths, written and read. */
struct status {
    unsigned ready : 1;
    unsigned mode : 3;
    signed delta : 4;
    unsigned : 0;
    unsigned long long serial : 40;
    _Bool flag : 1;
};

int check(struct status s) {
    if (!s.ready)
        return 0;
    if (s.mode == 5 && s.delta < -6)
        return 1;
    if (s.serial > 0xfffffffff0ull && s.flag)
        return 2;
    return 3;
}

int advance(struct status *s) {
    if (s->delta >= 7)
        return -1;
    s->delta++;
    s->mode += 3;
    if (s->mode == 1)
        s->flag = !s->flag;
    return s->mode;
}

struct header {
    unsigned char version : 4, length : 4;
    unsigned short fragment : 13, flags : 3;
};

int header_ok(const struct header *h) {
    return h->version == 4 && h->length >= 5 && !(h->flags & 4) && h->fragment == 0;
}
