/* Counters that only grow stay above where they began. */
int never(int n) {
    int i;
    for (i = 0; i < n; i++) {}
    if (i < 0)
        return 1; //~ unreachable
    return 0;
}
int maybe(int n) {
    int i;
    for (i = 0; i < n; i++) {}
    if (i > 2)
        return 1; //~ reachable
    return 0;
}
