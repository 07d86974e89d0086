//@ about: one counter, or several that go in step: what is kept is linear
/*@ requires n >= 0; ensures \result == n; */
int count_up(int n) { int i = 0; while (i < n) i++; return i; }
/*@ requires n >= 0; ensures \result == 0; */
int count_down(int n) { while (n > 0) n--; return n; }
/*@ requires 0 <= n <= 1000; ensures \result == 3 * n; */
int threes(int n) { int s = 0; for (int i = 0; i < n; i++) s += 3; return s; }
/*@ requires 0 <= n <= 1000; ensures \result == 2 * n + 7; */
int offset(int n) { int s = 7; for (int i = 0; i < n; i++) { s += 5; s -= 3; } return s; }
/*@ requires 0 <= n <= 100000; ensures \result == n; */
int exchange(int n) { int a = n, b = 0; while (a > 0) { a--; b++; } return b; }
/*@ requires 0 <= n <= 100000 && 0 <= m <= 100000; ensures \result == n + m; */
int add(int n, int m) { int s = m; while (n > 0) { n--; s++; } return s; }
/*@ requires 0 <= n <= 1000; ensures \result == 0; */
int opposite(int n) { int x = 0, y = 0; for (int i = 0; i < n; i++) { x += 2; y -= 2; } return x + y; }
/*@ requires 0 <= n <= 1000; ensures \result == n; */
int difference(int n) { int x = 0, y = 0; for (int i = 0; i < n; i++) { x += 4; y += 3; } return x - y; }
/*@ requires 0 <= n <= 10000; ensures \result >= n; */
int halves(int n) { int lo = 0, hi = 0; while (lo < n) { lo++; hi += 2; } return hi; }
/*@ requires n >= 0; ensures \result <= n; */
int steps_of_two(int n) { int i = 0; while (i + 1 < n) i += 2; return i; }
