/* Replacing a value; a condition chooses between predicates. */
/*@ requires 0 <= n <= 5;
  @ requires \valid(a + (0 .. n-1));
  @ assigns a[0 .. n-1];
  @ ensures \forall integer i; 0 <= i < n ==> (\old(a[i]) == from ? a[i] == to : a[i] == \old(a[i]));
  @*/
void replace(int *a, int n, int from, int to) {
    for (int i = 0; i < n; i++)
        if (a[i] == from) a[i] = to;
}
