/* Inner product. Contract proved for the sizes it allows; mutants are caught. */
/*@ requires 0 <= n <= 3; requires \valid(a + (0 .. n - 1)); requires \valid(b + (0 .. n - 1));
  @ requires \forall integer i; 0 <= i < n ==> -100 <= a[i] <= 100 && -100 <= b[i] <= 100;
  @ ensures \result == \sum(0, n - 1, \lambda integer i; a[i] * b[i]);
  @*/
int inner(const int *a, const int *b, int n)
{
    int s = 0, i;
    for (i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}
