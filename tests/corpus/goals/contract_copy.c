/* Copy of an array. Contract proved for the sizes it allows; mutants are caught. */
/*@ requires 0 <= n <= 4; requires \valid(a + (0 .. n - 1)); requires \valid(b + (0 .. n - 1));
  @ requires \separated(a + (0 .. n - 1), b + (0 .. n - 1));
  @ ensures \forall integer i; 0 <= i < n ==> b[i] == \old(a[i]);
  @*/
void copy(const int *a, int *b, int n)
{
    int i;
    for (i = 0; i < n; i++)
        b[i] = a[i];
}
