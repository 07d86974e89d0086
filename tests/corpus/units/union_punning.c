/* Members of unions that overlap, read narrow first and wide then, and the other way round. */
#include <stdint.h>

union word {
    int64_t whole;
    int8_t low;
    double real;
    struct {
        uint32_t lower, upper;
    } half;
};

union word shared;

int narrow_first(void) {
    if (shared.low != 0) {
        if (shared.whole >= 5)
            return 1;
        return 2;
    }
    return 0;
}

int upper_first(const union word *w) {
    if (w->half.upper == 0x3ff80000) {
        if (w->real == 1.5)
            return 1;
        return 2;
    }
    return 0;
}

int wide_first(const union word *w) {
    if (w->whole > 1000000) {
        if (w->low == 7 && w->half.upper == 3)
            return 1;
        return 2;
    }
    return 0;
}

int written_between(union word *w) {
    if (w->low == 3) {
        w->half.upper = 9;
        if (w->whole == 0x900000103)
            return 1;
    }
    return 0;
}

/* A structure in a room of characters. */
struct settings {
    int mode;
    const char *name;
};

_Alignas(8) static char room[64];
#define SETTINGS (*(struct settings *)room)

int settled(void) {
    if (!SETTINGS.name)
        return 0;
    if (SETTINGS.name[0] == 'x')
        return SETTINGS.mode == 3;
    return 2;
}
