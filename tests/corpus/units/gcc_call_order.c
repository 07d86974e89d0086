/* Calls whose results decide nothing come first, as in gcc; functions that run at the end. */
#include <stdint.h>

static int16_t narrow(int x) {
    if (x > 3)
        return 1;
    return 0;
}

static uint8_t small(int x) {
    if (x > 5)
        return 1;
    return 0;
}

int never_equal(int x) {
    return small(x) >= (narrow(x) == 0xA775L) ? 1 : 0; //~ infeasible
}

int always_less(int x) {
    return small(x) + (narrow(x) < 0x8000L) == 2 ? 1 : 0;
}

int never_met(int x) {
    return small(x) + (0xBAF68603386B4760 != narrow(x)) == 2 ? 1 : 0;
}

int may_be_less(int x) {
    return small(x) + (narrow(x) < 0x7fffL) == 2 ? 1 : 0;
}

int nothing(int x) {
    return small(x) + narrow(x) * 0 + (0 & narrow(x)) == 1 ? 1 : 0;
}

static void (*at_the_end)(void);

__attribute__((destructor)) static void ends(void) {
    at_the_end();
}
