/* Removal of repetitions in order. Contract proved for the sizes it allows; mutants are caught. */
/*@ requires 0 <= n <= 4; requires \valid(a + (0 .. n - 1));
  @ requires \forall integer i; 0 <= i < n - 1 ==> a[i] <= a[i + 1];
  @ ensures 0 <= \result <= n;
  @ ensures \forall integer i; 0 <= i < \result - 1 ==> a[i] < a[i + 1];
  @*/
int unique(int *a, int n)
{
    int i, k = 0;
    for (i = 0; i < n; i++)
        if (k == 0 || a[k - 1] != a[i])
            a[k++] = a[i];
    return k;
}
