/* Two counters that wrap, one twice as fast. */
int never(unsigned n) {
    unsigned i = 0, j = 0;
    while (i != n) {
        i++;
        j += 2;
    }
    if (j != 2 * i)
        return 1; //~ unreachable
    return 0;
}
int maybe(unsigned n) {
    unsigned i = 0, j = 0;
    while (i != n) {
        i++;
        j += 2;
    }
    if (j != 3 * i)
        return 1; //~ reachable
    return 0;
}
