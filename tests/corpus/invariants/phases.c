//@ about: loops after each other, and loops that change their mind
/*@ requires 0 <= n <= 10000; ensures \result == 0; */
int there_and_back(int n) { int x = 0, i; for (i = 0; i < n; i++) x++; for (i = 0; i < n; i++) x--; return x; }
/*@ requires 0 <= n <= 10000 && 0 <= m <= 10000; ensures \result == n + 2 * m; */
int two_rates(int n, int m) { int s = 0; for (int i = 0; i < n; i++) s++; for (int i = 0; i < m; i++) s += 2; return s; }
/*@ ensures \result == 100; */
int second_phase(void) { int x = 0, y = 50; while (x < 100) { x++; if (x > 50) y++; } return y; }
/*@ requires 0 <= n <= 10000; ensures \result == n; */
int copy_then_count(int n) { int a = 0, b = 0; while (a < n) a++; while (b < a) b++; return b; }
/*@ requires 0 <= n <= 1000; ensures \result == 2 * n; */
int twice_around(int n) { int s = 0, i = 0; while (i < n) { i++; s++; } while (i > 0) { i--; s++; } return s; }
/*@ ensures \result >= 0; */
int up_or_down(int n) { int x = 0, up = 1; while (n > 0) { if (up) x++; if (x > 100) up = 0; if (!up) x--; if (x == 0) up = 1; n--; } return x; }
/*@ requires 0 <= n <= 1000; ensures \result == n; */
int toggles(int n) { int a = 0, b = 0, t = 0; for (int i = 0; i < n; i++) { if (t) { a++; t = 0; } else { b++; t = 1; } } return a + b; }
/*@ requires 0 <= n <= 1000; ensures \result == 3 * n; */
int three_loops(int n) { int s = 0; for (int i = 0; i < n; i++) s++; for (int i = 0; i < n; i++) s++; for (int i = 0; i < n; i++) s++; return s; }
