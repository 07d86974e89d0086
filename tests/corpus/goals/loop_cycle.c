/* A cyclic counter stays in its cycle. */
int never(int n) {
    int s = 0;
    while (n > 0) {
        if (s == 2)
            s = 0;
        else
            s = s + 1;
        n--;
    }
    if (s == 3)
        return 1; //~ unreachable
    return 0;
}
int maybe(int n) {
    int s = 0;
    while (n > 0) {
        if (s == 3)
            s = 0;
        else
            s = s + 1;
        n--;
    }
    if (s == 3)
        return 1; //~ reachable
    return 0;
}
