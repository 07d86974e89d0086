/* Behaviors that a quantifier tells apart, complete and disjoint. */
/*@ requires 0 <= n <= 6 && \valid_read(a + (0 .. n-1));
  @ assigns \nothing;
  @ behavior sorted:
  @   assumes \forall integer i; 0 <= i < n - 1 ==> a[i] <= a[i+1];
  @   ensures \result == 1;
  @ behavior unsorted:
  @   assumes \exists integer i; 0 <= i < n - 1 && a[i] > a[i+1];
  @   ensures \result == 0;
  @ complete behaviors;
  @ disjoint behaviors sorted, unsorted;
  @*/
int is_sorted(const int *a, int n) {
    for (int i = 0; i + 1 < n; i++)
        if (a[i] > a[i + 1]) return 0;
    return 1;
}
