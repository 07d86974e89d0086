/* The inner counter does not pass the outer one. */
int never(int n) {
    int i, j;
    for (i = 0; i < n; i++)
        for (j = 0; j < i; j++)
            if (j >= i)
                return 1; //~ unreachable
    return 0;
}
int maybe(int n) {
    int i, j;
    for (i = 0; i < n; i++)
        for (j = 0; j <= i; j++)
            if (j >= i)
                return 1; //~ reachable
    return 0;
}
