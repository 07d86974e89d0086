/* A pointer that is null until it is not, and then leads to one variable. */
int never(int n) {
    int a = 1, *p = 0;
    while (n-- > 0)
        if (n % 7 == 3)
            p = &a;
    if (p != 0 && *p == 2)
        return 1; //~ unreachable
    return 0;
}
int maybe(int n) {
    int a = 1, *p = 0;
    while (n-- > 0)
        if (n % 7 == 3) {
            p = &a;
            a++;
        }
    if (p != 0 && *p == 2)
        return 1; //~ reachable
    return 0;
}
