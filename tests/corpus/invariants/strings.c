//@ about: texts
/*@ ensures \result >= 0; */
int length(const char *s) { int n = 0; while (s[n] != 0) { if (n >= 1000) break; n++; } return n; }
/*@ requires n >= 0; ensures 0 <= \result <= n; */
int bounded_length(const char *s, int n) { int i = 0; while (i < n && s[i] != 0) i++; return i; }
/*@ requires n >= 0; ensures 0 <= \result <= n; */
int letters(const char *s, int n) { int c = 0; for (int i = 0; i < n && s[i]; i++) if (s[i] >= 'a' && s[i] <= 'z') c++; return c; }
