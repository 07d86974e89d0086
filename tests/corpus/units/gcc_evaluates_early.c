/* What gcc evaluates ahead of its turn: the left side of a comma, and conditions that make no difference. */
#define LENGTH(flags) (((flags) & 1 ? 4 : 0) + ((flags) & 2 ? 0 : 0) + ((flags) & 4 ? 3 : 0) + ((flags) & 8 ? 5 : 0))

unsigned char options(unsigned char flags) {
    unsigned char length = LENGTH(flags);
    return length > 7 ? 1 : 0;
}

static int steps;

static int step(int n) {
    return n > 2 ? ++steps : 0;
}

static int level(int n) {
    return n < 5;
}

int sum(int n) {
    steps = 0;
    int first = level(n) - (step(n), steps);
    return first + (step(n + 1) ? 1 : 1) * 2 == 2 ? 7 : -(step(n), 3) + level(n);
}

/* Copies that have the compiler compare the types. */
#define COPY(to, from, n) __builtin_memcpy((to), (from), (n) * sizeof *(to) + 0 * ((to) - (from)))

int copied(short *to, const short *from) {
    COPY(to, from, 2);
    return to[0] == 3 && to[1] == 4;
}

/* Functions of a library of its own that only look like those of the C library. */
double __sin(double x, double y, int n);

int wave(double x) {
    return __sin(x, 0.0, 1) > 0.5;
}
