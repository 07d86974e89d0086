/* Compound literals, designated initialisers, _Generic, _Static_assert, _Alignas, typeof. */
#include <stdalign.h>
struct rule { int from, to; char name[4]; };

static const struct rule rules[] = {
    [2] = {.to = 5, .from = 3, .name = "mid"},
    [0] = {1, 2, "low"},
    [5] = {.from = 9},
};
_Static_assert(sizeof rules / sizeof rules[0] == 6, "six rules");

int rule_of(int x) {
    for (unsigned i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].from <= x && x <= rules[i].to && rules[i].name[0])
            return (int)i;
    return -1;
}

static int inside(const struct rule *r, int x) {
    return r->from <= x && x < r->to;
}

int literal(int x) {
    if (inside(&(struct rule){.from = 10, .to = 20}, x))
        return 1;
    return (int[]){4, 5, 6}[x & 1] == 5;
}

#define KIND(x) _Generic((x), int: 1, unsigned: 2, double: 3, char *: 4, default: 5)

int kinds(int a, double b) {
    if (KIND(a) == 1 && a > 3)
        return KIND(b);
    return KIND((short)a) == 5 && b > 2.5;
}

struct aligned { alignas(16) char bytes[3]; int n; };

int lined_up(struct aligned *a) {
    return a->n == 2 && a->bytes[2] == 'x';
}
