//@ about: sums whose value is a polynomial of the counter
/*@ requires n >= 0; ensures 2 * \result == n * (n + 1); */
int triangular(int n) { int s = 0; for (int i = 1; i <= n; i++) s += i; return s; }
/*@ requires n >= 0; ensures \result == n * n; */
int odd_numbers(int n) { int s = 0, k = 1; for (int i = 0; i < n; i++) { s += k; k += 2; } return s; }
/*@ requires n >= 0; ensures \result == n * k; */
int product(int n, int k) { int s = 0, i = 0; while (i < n) { s += k; i++; } return s; }
/*@ requires a >= 0 && b > 0; */
int divide(int a, int b) { int q = 0, r = a; while (r >= b) { r -= b; q++; } /*@ assert a == q * b + r; */ /*@ assert 0 <= r < b; */ return q; }
/*@ requires n >= 0; ensures 6 * \result == n * (n + 1) * (2 * n + 1); */
int squares(int n) { int s = 0; for (int i = 1; i <= n; i++) s += i * i; return s; }
/*@ requires n >= 0; ensures \result == n * n * n; */
int cube(int n) { int c = 0, d = 1, e = 6; for (int i = 0; i < n; i++) { c += d; d += e; e += 6; } return c; }
/*@ requires n >= 0; */
int root(int n) { int r = 0, t = 1, s = 1; while (s <= n) { r++; t += 2; s += t; } /*@ assert r * r <= n; */ /*@ assert n < (r + 1) * (r + 1); */ return r; }
/*@ requires n >= 0; ensures \result == n * (n + 1); */
int even_numbers(int n) { int s = 0; for (int i = 1; i <= n; i++) s += 2 * i; return s; }
/*@ requires i <= 10000; ensures 2 * \result == (\old(i) > 0 ? \old(i) * (\old(i) + 1) : 0); */
int downwards(int i) { int s = 0; while (i > 0) { s += i; i--; } return s; }
/*@ ensures 50 <= \result <= 60 ==> \old(i) == 10; */
int only_ten(int i) { int s = 0; while (i > 0) { s += i; i--; } return s; }
/*@ requires 0 <= i <= 10000; ensures \result >= \old(i); */
int at_least(int i) { int s = 0; while (i > 0) { s += i; i--; } return s; }
/*@ requires n >= 0; ensures 2 * \result == n * (n - 1); */
int pairs(int n) { int s = 0, k = 0; while (k < n) { s += k; k++; } return s; }
/*@ requires x > 0 && y > 0; ensures \result <= \old(x) && \result <= \old(y); */
int gcd(int x, int y) { while (x != y) { if (x > y) x -= y; else y -= x; } return x; }
/*@ requires 0 <= a <= 1000 && 0 <= b <= 1000; ensures \result == a * b; */
int russian(int a, int b) { int s = 0, x = a, y = b; while (x > 0) { if (x % 2 == 1) s += y; x = x / 2; if (x > 0) y = y + y; } return s; }
