/* First element with a value. Contract proved for the sizes it allows; mutants are caught. */
/*@ requires 0 <= n <= 4; requires \valid(a + (0 .. n - 1));
  @ ensures -1 <= \result < n;
  @ ensures \result >= 0 ==> a[\result] == x;
  @ ensures \result == -1 ==> (\forall integer i; 0 <= i < n ==> a[i] != x);
  @*/
int find(const int *a, int n, int x)
{
    int i;
    for (i = 0; i < n; i++)
        if (a[i] == x)
            return i;
    return -1;
}
