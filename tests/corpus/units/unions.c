/* Unions: tagged, for looking at bits, by value, as results. */
#include <stdint.h>

union word {
    uint32_t whole;
    uint16_t half[2];
    uint8_t byte[4];
};

int swapped(union word w) {
    union word r;
    for (int i = 0; i < 4; i++)
        r.byte[i] = w.byte[3 - i];
    return r.whole == 0x11223344u;
}

union word make(uint16_t low, uint16_t high) {
    union word w;
    w.half[0] = low;
    w.half[1] = high;
    if (w.whole == 0)
        w.whole = 1;
    return w;
}

int float_sign(float f) {
    union { float f; uint32_t bits; } u = {.f = f};
    return u.bits >> 31 ? -1 : (u.bits & 0x7fffffff) == 0 ? 0 : 1;
}

struct token {
    enum { NUMBER, NAME, PUNCTUATION } kind;
    union {
        long number;
        char name[8];
        struct { char c; unsigned char repeated; } punctuation;
    };
};

int weight(const struct token *t) {
    switch (t->kind) {
    case NUMBER:
        return t->number < 0 ? -1 : 1;
    case NAME:
        return t->name[0] == '_' && t->name[1] == '\0' ? 2 : 3;
    case PUNCTUATION:
        return t->punctuation.c == ';' && t->punctuation.repeated > 1 ? 4 : 5;
    }
    return 0;
}

/* Part of an address is no result to expect. */
union part {
    unsigned low : 15;
    const signed char *text;
    unsigned whole;
};
static union part kept = {7};

union part give(int n) {
    if (n > 3)
        kept.whole = 5;
    return kept;
}
