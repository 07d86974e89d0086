/* A whole program: nothing has changed its variables before. */
int __VERIFIER_nondet_int(void);

static int mode = 2;
static int limit;

static int worth(int value) {
    if (mode == 3)
        return 0;
    return value > limit ? value : limit;
}

int main(void) {
    int value = __VERIFIER_nondet_int();
    if (mode == 3 || limit) //~ infeasible
        return 4;
    mode = value & 3;
    if (worth(value) > 16 && mode == 1)
        return 1;
    return 0;
}
