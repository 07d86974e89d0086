/* A loop that counts to a bound ends at the bound. */
/*@ requires n >= 0; */
int never(int n) {
    int i = 0;
    while (i < n)
        i++;
    if (i != n)
        return 1; //~ unreachable
    return 0;
}
int maybe(int n) {
    int i = 0;
    while (i < n)
        i++;
    if (i != n)
        return 1; //~ reachable
    return 0;
}
