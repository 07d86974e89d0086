/* Greatest element. Contract proved for the sizes it allows; mutants are caught. */
/*@ requires 1 <= n <= 4; requires \valid(a + (0 .. n - 1));
  @ ensures \forall integer i; 0 <= i < n ==> a[i] <= \result;
  @ ensures \exists integer i; 0 <= i < n && a[i] == \result;
  @*/
int max(const int *a, int n)
{
    int m = a[0], i;
    for (i = 1; i < n; i++)
        if (a[i] > m)
            m = a[i];
    return m;
}
