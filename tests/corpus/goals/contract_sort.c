/* Insertion sort. Contract proved for the sizes it allows; mutants are caught. */
/*@ requires 0 <= n <= 4; requires \valid(a + (0 .. n - 1));
  @ ensures \forall integer i; 0 <= i < n - 1 ==> a[i] <= a[i + 1];
  @*/
void sort(int *a, int n)
{
    int i, j;
    for (i = 1; i < n; i++) {
        int x = a[i];
        for (j = i; j > 0 && a[j - 1] > x; j--)
            a[j] = a[j - 1];
        a[j] = x;
    }
}
