/* Functions without a body set variables that they can name. */
int errors;
extern int level;
int table[3];

struct state {
    int n;
    const char *name;
} current;

int check(int x);
void notify(void);

int reported(void) {
    errors = 0;
    notify();
    if (errors > 3)
        return 1;
    return 0;
}

/* The last call before a reading is the one that matters. */
int each(int x) {
    errors = 0;
    check(x);
    if (errors)
        return -1;
    check(x);
    if (errors == 7)
        return -2;
    return 0;
}

int both(void) {
    level = 1;
    errors = 2;
    notify();
    if (level == 4 && errors == 5)
        return 1;
    return 0;
}

int structured(void) {
    current.n = 0;
    notify();
    if (current.n == 3 && current.name && current.name[0] == 'x')
        return 1;
    return 0;
}

int indexed(unsigned i) {
    table[0] = table[1] = table[2] = 0;
    notify();
    if (i < 3 && table[i] == 9)
        return 1;
    return 0;
}

int awaited(void) {
    int turns = 0;
    errors = 0;
    while (errors < 2 && turns < 3) {
        notify();
        turns++;
    }
    if (errors == 2 && turns == 2)
        return 1;
    return turns;
}

/* What was written afterwards stays. */
int written(void) {
    notify();
    errors = 1;
    if (errors == 2) //~ infeasible
        return 1;
    return 0;
}

static int hidden;

/* Nobody else can name this one. */
int own(void) {
    hidden = 1;
    notify();
    if (hidden == 2) //~ infeasible
        return 1;
    return 0;
}
