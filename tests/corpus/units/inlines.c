/* Functions that are only inline, some of which have no address anywhere; functions that macros hide in calls. */
#include <stddef.h>

extern inline __attribute__((gnu_inline, always_inline)) int clipped(int x) {
    return x > 5 ? 5 : x;
}

inline int squared(int x) {
    if (x > 100 || x < -100)
        return -1;
    return x * x;
}

int uses(int a) {
    if (clipped(a) == 4)
        return squared(a);
    return 0;
}

#define weigh(value, unit, label) weigh(value, unit)

int weigh(int value, int unit, "kg") {
    if (value > 10 && unit == 3)
        return 1;
    return 0;
}

int weighs(int value) {
    if (weigh(value, value % 4, "lb"))
        return 2;
    return 3;
}
