/* A loop while not zero ends at zero. */
int never(unsigned u) {
    while (u)
        u--;
    if (u != 0)
        return 1; //~ unreachable
    return 0;
}
int maybe(unsigned u) {
    while (u > 1)
        u--;
    if (u != 0)
        return 1; //~ reachable
    return 0;
}
