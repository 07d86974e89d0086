/* The first element that is not less: a precondition over pairs, loop annotations. Proved for the sizes it allows. */
/*@ requires 0 <= n <= 5;
  @ requires \valid_read(a + (0 .. n-1));
  @ requires \forall integer i, j; 0 <= i <= j < n ==> a[i] <= a[j];
  @ assigns \nothing;
  @ ensures 0 <= \result <= n;
  @ ensures \forall integer i; 0 <= i < \result ==> a[i] < x;
  @ ensures \forall integer i; \result <= i < n ==> a[i] >= x;
  @*/
int lower_bound(const int *a, int n, int x) {
    int lo = 0, hi = n;
    /*@ loop invariant 0 <= lo <= hi <= n;
      @ loop invariant \forall integer i; 0 <= i < lo ==> a[i] < x;
      @ loop invariant \forall integer i; hi <= i < n ==> a[i] >= x;
      @ loop assigns lo, hi;
      @ loop variant hi - lo;
      @*/
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (a[mid] < x) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}
