/* What is cut at a bound stays below it. */
int never(int n) {
    int x = 0;
    while (n-- > 0) {
        x += 5;
        if (x > 100)
            x = 100;
    }
    if (x > 100)
        return 1; //~ unreachable
    return 0;
}
int maybe(int n) {
    int x = 99;
    while (n-- > 0) {
        x += 5;
        if (x > 110)
            x = 100;
    }
    if (x > 100)
        return 1; //~ reachable
    return 0;
}
