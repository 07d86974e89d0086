/* Moving elements within an array, whichever way they overlap. */
/*@ requires 0 <= n <= 5 && 0 <= from <= 3 && 0 <= to <= 3;
  @ requires \valid(a + (0 .. 7));
  @ ensures \forall integer i; 0 <= i < n ==> a[to + i] == \old(a[from + i]);
  @*/
void move(char *a, int from, int to, int n) {
    if (to < from) for (int i = 0; i < n; i++) a[to + i] = a[from + i];
    else for (int i = n - 1; i >= 0; i--) a[to + i] = a[from + i];
}
