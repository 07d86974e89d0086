/* long double and _Bool. */
#include <stdbool.h>
int ordered(long double a, long double b) {
    if (a != a || b != b)
        return -1;
    return a < b ? 0 : a > b ? 1 : 2;
}

long double half(long double x) {
    return x > 1.0L ? x / 2 : x;
}

int exact(long double x) {
    return x + 1.0L == 4.25L;
}

bool majority(bool a, bool b, bool c) {
    return (a && b) || (b && c) || (a && c); //~ infeasible
}

_Bool toggle(_Bool *state, int press) {
    if (press)
        *state = !*state;
    return *state;
}
