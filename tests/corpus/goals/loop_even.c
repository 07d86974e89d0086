/* Adding two keeps a number even. */
int never(unsigned n) {
    unsigned i = 0;
    while (n > 0) {
        i += 2;
        n--;
    }
    if (i & 1)
        return 1; //~ unreachable
    return 0;
}
int maybe(unsigned n) {
    unsigned i = 0;
    while (n > 0) {
        i += 3;
        n--;
    }
    if (i & 1)
        return 1; //~ reachable
    return 0;
}
