//@ about: arrays that are read, filled and copied
/*@ requires n >= 1; ensures \result == n; */
int reads(int *a, int n) { int m = a[0], i = 1; while (i < n) { if (a[i] > m) m = a[i]; i++; } return i; }
/*@ requires n > 0; ensures 0 <= \result < n; */
int position(int *a, int n) { int best = 0; for (int i = 1; i < n; i++) if (a[i] > a[best]) best = i; return best; }
/*@ requires n >= 0; ensures -1 <= \result < n; */
int search(const int *a, int n, int x) { for (int i = 0; i < n; i++) if (a[i] == x) return i; return -1; }
/*@ requires n >= 0; ensures 0 <= \result <= n; */
int hits(const int *a, int n, int x) { int c = 0; for (int i = 0; i < n; i++) if (a[i] == x) c++; return c; }
/*@ requires n >= 0; ensures \result == n; */
int fills(int *a, int n) { int i; for (i = 0; i < n; i++) a[i] = 0; return i; }
/*@ requires n >= 0; ensures \result == n; */
int copies(int *a, const int *b, int n) { int i = 0; while (i < n) { a[i] = b[i]; i++; } return i; }
/*@ requires n >= 0; ensures 0 <= \result <= n; */
int compacts(int *a, const int *b, int n) { int k = 0; for (int i = 0; i < n; i++) if (b[i] > 0) a[k++] = b[i]; return k; }
/*@ requires n >= 0; ensures 0 <= \result <= n; */
int splits(const int *a, int n) { int lo = 0, hi = n; for (int i = 0; i < n; i++) { if (a[i] < 0) lo++; else hi--; } /*@ assert lo == hi; */ return lo; }
