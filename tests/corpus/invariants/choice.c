//@ about: what a turn does, or whether there is another one, is nobody's choice
int nondet(void);
void __VERIFIER_assume(int);
/*@ requires n >= 0; ensures \result <= n; */
int some(int n) { int c = 0; for (int i = 0; i < n; i++) if (nondet()) c++; return c; }
/*@ requires n > 0; ensures 0 <= \result < n; */
int follower(int n) { int m = 0, x = 0; while (x < n) { if (nondet()) m = x; x++; } return m; }
int guarded_follower(int n) { int m = 0, x = 0; while (x < n) { if (nondet()) m = x; x++; } if (n > 0) { /*@ assert m < n; */ ; } return m; }
/*@ requires n >= 0; ensures 0 <= \result <= n; */
int early(int n) { int i = 0; while (i < n) { if (nondet()) break; i++; } return i; }
int in_step(int x, int y) { __VERIFIER_assume(x >= 0 && x <= 2 && y >= 0 && y <= 2); while (nondet()) { x += 2; y += 2; } if (y == 0) { /*@ assert x != 4; */ ; } return x; }
/*@ ensures \result == 0; */
int balanced(void) { int d = 0, p = 0, m = 0; while (nondet()) { if (p > 1000 || m > 1000) break; if (nondet()) { p++; d++; } else { m++; d--; } } return d - p + m; }
/*@ requires 0 <= n <= 10000; ensures n <= \result <= 2 * n; */
int one_or_two(int n) { int s = 0; for (int i = 0; i < n; i++) s += nondet() ? 1 : 2; return s; }
/*@ requires n >= 0; ensures \result == n; */
int parts(int n) { int a = 0, b = 0; for (int i = 0; i < n; i++) if (nondet()) a++; else b++; return a + b; }
/*@ ensures \result <= 10; */
int saturates(int n) { int x = 0; while (n-- > 0) { if (nondet() && x < 10) x++; } return x; }
/*@ ensures \result % 2 == 0; */
int stays_even(void) { int x = 0; while (nondet()) { if (x > 100000) break; x += 4; if (nondet()) x -= 2; } return x; }
/*@ requires n >= 0; ensures \result >= 0; */
int lock(int n) { int locked = 0, old = n, fresh = n + 1; if (n > 1000) return 0; while (fresh != old) { locked = 1; old = fresh; if (nondet()) { locked = 0; if (fresh > 5000) break; fresh++; } } return locked; }
