/* Middles of two bounds, as binary searches compute them; each of the last two goes one too far. */
/*@ requires 0 <= n <= 1000 && \valid_read(a + (0..n-1)); */
int lower(const int *a, int n, int key)
{
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (a[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/*@ requires n <= 1000 && \valid_read(a + (0..n-1)); */
int found(const int *a, unsigned n, int key)
{
    unsigned l = 0, u = n;
    while (l < u) {
        unsigned m = l + (u - l) / 2;
        if (a[m] == key)
            return (int)m;
        if (a[m] < key)
            l = m + 1;
        else
            u = m;
    }
    return -1;
}

/*@ requires 0 <= n <= 1000 && \valid_read(a + (0..n-1)); */
int shifted(const int *a, int n, int key)
{
    int lo = 0, hi = n - 1;
    while (lo <= hi) {
        int mid = lo + ((hi - lo) >> 1);
        if (a[mid] == key)
            return mid;
        if (a[mid] < key)
            lo = mid + 1;
        else
            hi = mid - 1;
    }
    return -1;
}

/* Without a contract: no sum overflows. */
int halves(const int *a, int n, int key)
{
    int lo = 0, hi = n - 1;
    while (lo <= hi) {
        int mid = lo + (hi - lo) / 2;
        if (a[mid] < key)
            lo = mid + 1;
        else
            hi = mid - 1;
    }
    return lo;
}

/*@ requires 0 <= n <= 1000 && \valid_read(a + (0..n-1)); */
int upper(const int *a, int n, int key)
{
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = (lo + hi + 1) / 2;
        if (a[mid] < key)
            lo = mid;
        else
            hi = mid - 1;
    }
    return lo;
}

/*@ requires -10 <= lo <= hi && hi <= 10 && \valid_read(a + (0..9)); */
int negative(const int *a, int lo, int hi)
{
    int mid = (lo + hi) / 2;
    return a[mid];
}
