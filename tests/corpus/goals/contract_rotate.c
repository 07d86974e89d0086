/* Rotation by one. Contract proved for the sizes it allows; mutants are caught. */
/*@ requires 1 <= n <= 4; requires \valid(a + (0 .. n - 1));
  @ ensures \forall integer i; 0 <= i < n - 1 ==> a[i] == \old(a[i + 1]);
  @ ensures a[n - 1] == \old(a[0]);
  @*/
void rotate(int *a, int n)
{
    int first = a[0], i;
    for (i = 0; i + 1 < n; i++)
        a[i] = a[i + 1];
    a[n - 1] = first;
}
