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

/* Zeros within initialisers, with all their braces. */
union scalar {
    int whole;
    double broken;
};

struct value {
    union scalar is;
    long tag;
};

struct group {
    struct {
        int left, right;
    };
    struct value values[2];
};

struct value evaluate(int step);

int values(int n, const struct value *given, const struct group *groups) {
    struct value first = evaluate(n), second = evaluate(n + 1);
    if (first.tag == 0 && second.tag == 3 && given[1].tag == 4)
        return groups[0].left == groups[2].values[1].tag;
    return groups[1].values[1].is.whole == 7;
}

int fill(struct value *value, struct value *further);

int filled(int n) {
    struct value one, two[2];
    if (fill(&one, two) != n)
        return -1;
    return one.tag == n && two[0].is.whole == 3;
}

struct sums {
    double x, y;
};

/* Zeros of floats among other elements. */
int far(const struct sums sums[3]) {
    return sums[2].y > 2.0 ? 1 : 0;
}

struct address {
    union {
        unsigned char bytes[16];
    } parts;
};

extern const struct address any_address;

/* A constant of another file that is zero. */
int is_any(const struct address *address) {
    if (any_address.parts.bytes[0] == address->parts.bytes[0])
        return 1;
    return 0;
}
