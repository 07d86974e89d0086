/* A postcondition that reads an array of any length where the result says. */
/*@ requires n >= 0 && \valid_read(a + (0 .. n - 1));
    ensures \result >= 0 ==> a[\result] == v; */
int position(const int *a, int n, int v)
{
    for (int i = 0; i < n; i++)
        if (a[i] == v + (i == 2))
            return i;
    return -1;
}
