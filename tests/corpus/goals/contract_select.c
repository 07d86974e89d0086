/* Selection sort; the order of all pairs. */
/*@ requires 0 <= n <= 4 && \valid(a + (0 .. n-1));
  @ assigns a[0 .. n-1];
  @ ensures \forall integer i, j; 0 <= i <= j < n ==> a[i] <= a[j];
  @*/
void selection(int *a, int n) {
    for (int i = 0; i < n - 1; i++) {
        int least = i;
        for (int j = i + 1; j < n; j++) if (a[j] < a[least]) least = j;
        int t = a[i]; a[i] = a[least]; a[least] = t;
    }
}
