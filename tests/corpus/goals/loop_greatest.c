/* An element that is read twice: by the test, and when it is taken. */
int never(const int *a, int n) {
    int most = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > most)
            most = a[i];
    if (most < 0)
        return 1; //~ unreachable
    return 0;
}
int maybe(const int *a, int n) {
    int most = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > most)
            most = a[i];
    if (most < 1)
        return 1; //~ reachable
    return 0;
}
