/* Pointers that are moved out of their objects: undefined even if nothing is read there. */
int beyond(int i)
{
    int a[4] = {0};
    int *p = a + i;
    return p != 0;
}

int one_past(int i)
{
    int a[4] = {0};
    int *p = a + 4;
    return p - a == i;
}

/*@ requires 0 <= n <= 8 && \valid_read(s + (0 .. n - 1)); */
int fixed(const int *s, int n)
{
    const int *end = s + n;
    return end - s == 8;
}

int grows(const int *s)
{
    const int *end = s + 100;
    return *end == 3;
}
