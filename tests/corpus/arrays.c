/* Arrays of the input have as many elements as accesses need; before their first one there is nothing. */
int sums(const int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s ^= a[i];
    return s;
}

int passes(const int *a, int n)
{
    return sums(a, n) ^ a[3];
}

int before(const int *a, int i)
{
    return a[i];
}

int perhaps_null(int *a)
{
    if (a)
        a[0] = 1;
    return a[1];
}

int of_another(int *a, int *b)
{
    if (a == b)
        return 0;
    return a[2];
}
