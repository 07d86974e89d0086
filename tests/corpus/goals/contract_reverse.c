/* Reversing; elements of the state before at an index that the contract computes. */
/*@ requires 0 <= n <= 6;
  @ requires \valid(a + (0 .. n-1));
  @ assigns a[0 .. n-1];
  @ ensures \forall integer i; 0 <= i < n ==> a[i] == \old(a[n - 1 - i]);
  @*/
void reverse(int *a, int n) {
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        int t = a[i]; a[i] = a[j]; a[j] = t;
    }
}
