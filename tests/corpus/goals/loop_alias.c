/* A pointer that changes between two variables reads one of them. */
int never(int n) {
    int a = 1, b = 2, *p = &a;
    while (n-- > 0) {
        if (n & 1)
            p = &b;
        else
            p = &a;
    }
    if (*p == 3)
        return 1; //~ unreachable
    return 0;
}
int maybe(int n) {
    int a = 1, b = 2, *p = &a;
    while (n-- > 0) {
        if (n & 1)
            p = &b;
        else
            p = &a;
        *p = *p + 1;
    }
    if (*p == 3)
        return 1; //~ reachable
    return 0;
}
