/* A flag is zero or one. */
int never(int n, int k) {
    int found = 0;
    while (n > 0) {
        if (n == k)
            found = 1;
        n--;
    }
    if (found > 1)
        return 1; //~ unreachable
    return 0;
}
int maybe(int n, int k) {
    int found = 0;
    while (n > 0) {
        if (n == k)
            found += 2;
        n--;
    }
    if (found > 1)
        return 1; //~ reachable
    return 0;
}
