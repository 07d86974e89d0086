/* Binary search. Contract proved for the sizes it allows; mutants are caught. */
/*@ requires 0 <= n <= 4; requires \valid(a + (0 .. n - 1));
  @ requires \forall integer i; 0 <= i < n - 1 ==> a[i] <= a[i + 1];
  @ ensures \result >= 0 ==> \result < n && a[\result] == x;
  @ ensures \result < 0 ==> (\forall integer i; 0 <= i < n ==> a[i] != x);
  @*/
int search(const int *a, int n, int x)
{
    int lo = 0, hi = n - 1;
    while (lo <= hi) {
        int mid = lo + (hi - lo) / 2;
        if (a[mid] == x)
            return mid;
        if (a[mid] < x)
            lo = mid + 1;
        else
            hi = mid - 1;
    }
    return -1;
}
