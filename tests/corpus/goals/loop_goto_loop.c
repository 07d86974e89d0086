/* A loop made of goto. */
int never(int n) {
    int i = 0;
again:
    if (i < n) {
        i++;
        goto again;
    }
    if (i < 0)
        return 1; //~ unreachable
    return 0;
}
int maybe(int n) {
    int i = -2;
again:
    if (i < n) {
        i++;
        goto again;
    }
    if (i < 0)
        return 1; //~ reachable
    return 0;
}
