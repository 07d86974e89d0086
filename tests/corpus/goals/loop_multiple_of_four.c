/* Adding multiples of four leaves no rest. */
int never(unsigned n, unsigned step) {
    unsigned u = 8;
    while (n > 0) {
        u += 4 * step;
        n--;
    }
    if (u % 4 != 0)
        return 1; //~ unreachable
    return 0;
}
int maybe(unsigned n, unsigned step) {
    unsigned u = 8;
    while (n > 0) {
        u += 4 * step + (n == 2);
        n--;
    }
    if (u % 4 != 0)
        return 1; //~ reachable
    return 0;
}
