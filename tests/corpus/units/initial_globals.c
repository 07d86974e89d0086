//@ options: --globals initial
/* Variables that hold their initial values on entry, and what functions without a body set them to afterwards. */
int ready;
int mode = 3;

void wait(void);

int begun(void) {
    if (ready) //~ infeasible
        return 1;
    wait();
    if (ready)
        return 2;
    return 0;
}

int chosen(void) {
    wait();
    if (mode == 4)
        return 1;
    return 0;
}
