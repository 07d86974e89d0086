/* Accesses under contracts that say what may be accessed: within, and one element beyond. */
/*@ requires 0 <= n <= 100 && \valid_read(t+(0..n-1)); */
int within(const int *t, int n)
{
    int s = 0, i;
    for (i = 0; i < n; i++)
        s ^= t[i];
    return s;
}

/*@ requires 0 <= n <= 100 && \valid_read(t+(0..n-1)); */
int beyond(const int *t, int n, int at)
{
    if (at < 0 || at > n)
        return 0;
    return t[at];
}

/*@ requires 0 <= m <= 50 && 0 <= n <= 50 && \valid_read(a+(0..m-1)) && \valid_read(b+(0..n-1)) && \valid(c+(0..m+n-1)); */
void joined(const int *a, const int *b, int *c, int m, int n)
{
    int i = 0, j = 0, k = 0;
    while (i < m) {
        c[k] = a[i];
        i++;
        k++;
    }
    while (j < n) {
        c[k] = b[j];
        j++;
        k++;
    }
}

/*@ requires 0 <= m <= 50 && 0 <= n <= 50 && \valid(c+(0..m+n-2)); */
void short_by_one(int *c, int m, int n, int at)
{
    if (at >= 0 && at < m + n)
        c[at] = 0;
}
