/* Two elements with a given sum, from both ends. */
/*@ requires 0 <= n <= 4 && \valid_read(a + (0 .. n-1));
  @ requires \forall integer i; 0 <= i < n ==> -1000 <= a[i] <= 1000;
  @ requires \forall integer i, j; 0 <= i < j < n ==> a[i] <= a[j];
  @ requires -2000 <= x <= 2000;
  @ assigns \nothing;
  @ behavior found:
  @   assumes \exists integer i, j; 0 <= i < j < n && a[i] + a[j] == x;
  @   ensures \result == 1;
  @ behavior none:
  @   assumes \forall integer i, j; 0 <= i < j < n ==> a[i] + a[j] != x;
  @   ensures \result == 0;
  @*/
int two_sum(const int *a, int n, int x) {
    int i = 0, j = n - 1;
    while (i < j) {
        int s = a[i] + a[j];
        if (s == x) return 1;
        if (s < x) i++; else j--;
    }
    return 0;
}
