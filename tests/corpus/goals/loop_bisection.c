/* The bounds of a bisection stay in order and in range. */
/*@ requires n > 0; */
int never(int n, int key) {
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (key > mid)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo < 0)
        return 1; //~ unreachable
    return 0;
}
/*@ requires n > 0; */
int maybe(int n, int key) {
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (key > mid)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo > 0)
        return 1; //~ reachable
    return 0;
}
