/* What the goal demands of an argument contradicts itself, behind a loop that no bound ends. */
unsigned never(unsigned a, unsigned n) {
    unsigned h = 1;
    while (n-- > 0)
        h = h * 31 + (h >> 3);
    if (a * a == 50)
        return h; //~ unreachable
    return 0;
}
unsigned maybe(unsigned a, unsigned n) {
    unsigned h = 1;
    while (n-- > 0)
        h = h * 31 + (h >> 3);
    if (a * a == 49)
        return h; //~ reachable
    return 0;
}
