/* A byte wraps below 256. */
int never(int n) {
    unsigned char c = 0;
    int i;
    for (i = 0; i < n; i++)
        c++;
    if (c + 1 > 256)
        return 1; //~ unreachable
    return 0;
}
int maybe(int n) {
    unsigned char c = 250;
    int i;
    for (i = 0; i < n; i++)
        c++;
    if (c < 4)
        return 1; //~ reachable
    return 0;
}
