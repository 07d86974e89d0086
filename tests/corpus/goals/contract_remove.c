/* Removal of a value. Contract proved for the sizes it allows; mutants are caught. */
/*@ requires 0 <= n <= 4; requires \valid(a + (0 .. n - 1));
  @ ensures 0 <= \result <= n;
  @ ensures \forall integer i; 0 <= i < \result ==> a[i] != x;
  @*/
int remove_all(int *a, int n, int x)
{
    int i, k = 0;
    for (i = 0; i < n; i++)
        if (a[i] != x)
            a[k++] = a[i];
    return k;
}
