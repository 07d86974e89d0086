/* A given invariant about counters is proved of a loop that reads an array. */
//> 0 prove --function last_element --effort 20
//= loop invariant 1 <= i <= n;  proved (all paths, by induction with loop invariants)
//> 0 prove --function last_valid --effort 20
//= loop invariant 1 <= i <= n;  proved (all paths, by induction with loop invariants)

/*@ requires n >= 1; */
int last_element(const int *a, int n)
{
    int i = 1, m = a[0];
    /*@ loop invariant 1 <= i <= n; */
    while (i < n) {
        m = a[i];
        i++;
    }
    return m;
}

/*@ requires n >= 1 && \valid_read(a + (0 .. n - 1)); */
int last_valid(const int *a, int n)
{
    int i = 1, m = a[0];
    /*@ loop invariant 1 <= i <= n; */
    while (i < n) {
        m = a[i];
        i++;
    }
    return m;
}
