/* Merging sorted arrays: what is promised of pairs, and that nothing is lost. Proved for the sizes it allows. */
/*@ requires 0 <= n <= 3 && 0 <= m <= 3;
  @ requires \valid_read(a + (0 .. n-1)) && \valid_read(b + (0 .. m-1));
  @ requires \valid(c + (0 .. n+m-1));
  @ requires \separated(a + (0 .. n-1), c + (0 .. n+m-1)) && \separated(b + (0 .. m-1), c + (0 .. n+m-1));
  @ requires \forall integer i, j; 0 <= i < j < n ==> a[i] <= a[j];
  @ requires \forall integer i, j; 0 <= i < j < m ==> b[i] <= b[j];
  @ assigns c[0 .. n+m-1];
  @ ensures \forall integer i, j; 0 <= i < j < n + m ==> c[i] <= c[j];
  @ ensures \forall integer i; 0 <= i < n ==> \exists integer k; 0 <= k < n + m && c[k] == a[i];
  @*/
void merge(const int *a, int n, const int *b, int m, int *c) {
    int i = 0, j = 0, k = 0;
    while (i < n && j < m) c[k++] = a[i] <= b[j] ? a[i++] : b[j++];
    while (i < n) c[k++] = a[i++];
    while (j < m) c[k++] = b[j++];
}
