/* The least of some numbers is not above the first. */
/*@ requires \valid(v + (0 .. 3)); */
int never(int *v, int a, int n) {
    int m = a, i;
    for (i = 0; i < n; i++) {
        int t = v[i & 3];
        if (t < m)
            m = t;
    }
    if (m > a)
        return 1; //~ unreachable
    return 0;
}
/*@ requires \valid(v + (0 .. 3)); */
int maybe(int *v, int a, int n) {
    int m = a, i;
    for (i = 0; i < n; i++) {
        int t = v[i & 3];
        if (t != m)
            m = t;
    }
    if (m > a)
        return 1; //~ reachable
    return 0;
}
