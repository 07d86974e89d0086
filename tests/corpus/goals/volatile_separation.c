/* What the volatile variable may hold matters for the way behind it only. */
int never(unsigned n, volatile int *v) {
    if (n > 1000)
        return *v + *v;
    if (n * n == 999983)
        return 1; //~ unreachable
    return 0;
}
int maybe(unsigned n, volatile int *v) {
    if (n > 1000)
        return *v + *v;
    if (n * n == 994009)
        return 1; //~ reachable
    return 0;
}
