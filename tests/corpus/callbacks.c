/* Function pointers of the input lead to functions of the program of the right type, or to stubs. */
#include <stddef.h>

typedef int (*operation)(int, int);

struct machine {
    operation step;
    void (*report)(const char *);
    int state;
};

static int add(int a, int b) { return a == 7 ? b : a + 1; }

operation chosen = add;

int apply(operation f, int a) {
    if (f == NULL)
        return 0;
    if (f(a, 2) == 40)
        return 1;
    return 2;
}

int run(struct machine *m) {
    m->state = m->step(m->state, 1);
    if (m->state == 3 && m->report)
        m->report("three");
    return m->state;
}

int known(operation f) {
    if (f == add)
        return 1;
    return 0;
}
