/* The loop may stop early, or make no turn at all. */
int never(const int *a, int n) {
    int i;
    for (i = 0; i < n; i++)
        if (a[i] == 0)
            break;
    if (n >= 0 && i > n)
        return 1; //~ unreachable
    return 0;
}
int maybe(const int *a, int n) {
    int i;
    for (i = 0; i < n; i++)
        if (a[i] == 0)
            break;
    if (n >= 0 && i > n - 1)
        return 1; //~ reachable
    return 0;
}
