//@ about: loops inside loops
/*@ requires 0 <= n <= 100 && 0 <= m <= 100; ensures \result == n * m; */
int table(int n, int m) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s++; return s; }
/*@ requires 0 <= n <= 100; ensures 2 * \result == n * (n + 1); */
int stairs(int n) { int s = 0; for (int i = 1; i <= n; i++) for (int j = 0; j < i; j++) s++; return s; }
/*@ requires 0 <= n <= 1000; ensures \result >= n; */
int inner_zero(int n) { int s = 0; for (int i = 0; i < n; i++) { int j = 0; while (j < 3) j++; s += j; } return s; }
/*@ requires 0 <= n <= 1000; ensures \result == 5 * n; */
int inner_five(int n) { int s = 0; for (int i = 0; i < n; i++) { for (int j = 0; j < 5; j++) s++; } return s; }
/*@ requires n >= 0; ensures \result == n; */
int inner_resets(int n) { int i = 0, j = 0; while (i < n) { j = 0; while (j < i) j++; i++; } return i; }
/*@ requires n > 0; ensures 0 <= \result < n; */
int inner_index(int n) { int k = 0; for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) k = j; return k; }
