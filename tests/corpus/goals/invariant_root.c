/* Loop invariants: `root` is proved by those it gives, for all inputs; of `twice` one does not hold; the loop of `marks`
 * writes through a pointer, so its invariant is only checked. */
/*@ requires 0 <= n <= 1000000;
    ensures \result * \result <= n < (\result + 1) * (\result + 1); */
int root(int n)
{
    int r = 0;
    /*@ loop invariant 0 <= r <= 1000;
        loop invariant r * r <= n;
        loop assigns r;
        loop variant n - r; */
    while ((r + 1) * (r + 1) <= n)
        r++;
    return r;
}

/*@ requires 0 <= n <= 1000000; */
int twice(int n)
{
    int s = 0;
    /*@ loop invariant s == 2 * i;
        loop invariant i < n;
        loop invariant 0 <= i <= n; */
    for (int i = 0; i < n; i++)
        s += 2;
    return s;
}

/*@ requires 0 <= n <= 3 && \valid(a + (0 .. n - 1));
    ensures \forall integer k; 0 <= k < n ==> a[k] == 7; */
void marks(int *a, int n)
{
    /*@ loop invariant 0 <= i <= n;
        loop invariant \forall integer k; 0 <= k < i ==> a[k] == 7;
        loop assigns i, a[0 .. n - 1]; */
    for (int i = 0; i < n; i++)
        a[i] = 7;
}

/* An invariant that holds on entry and is not kept, though each turn keeps it if it held before the turn before. */
/*@ requires n >= 0; */
int late(int n)
{
    int a = 0, b = 0, c = 0;
    /*@ loop invariant a == 0; */
    while (n-- > 0) {
        a = b;
        b = c;
        c = 1;
    }
    return a;
}
