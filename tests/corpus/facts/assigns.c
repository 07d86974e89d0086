// `assigns` is a property: what else existed at the call is the same at the return.
//> 1 prove --function counts
//= assigns \nothing;  violated
//> 3 prove --function reads
//= assigns \nothing;  unknown
//> 0 prove --function keeps
//= assigns \nothing;  proved
//> 1 prove --function fills
//= assigns a[0 .. n - 1];  violated
//> 0 prove --function first
//= assigns *p, g;  proved
//> 1 prove --function second
//= assigns *p;  violated
//> 1 prove --function member
//= assigns s->x;  violated
//> 0 prove --function table_part
//= assigns table[1 .. 2];  proved
//> 1 prove --function table_rest
//= assigns table[1 .. 2];  violated
//> 3 prove --function calls_out
//= assigns \nothing;  unknown
//> 1 prove --function cases
//= assigns \nothing;  violated
struct pair { int x, y; };
int g, table[4];
/*@ assigns \nothing; */ int counts(int n) { if (n == 7) g++; return n; }
/*@ assigns \nothing; */ int reads(int n) { static int calls; calls++; int t[3] = {n, g, 1}; return t[0] + 0 * t[1]; }
/*@ assigns \nothing; */ int keeps(int n) { int old = g; g = n; g = old; return n; }
/*@ requires 1 <= n <= 3; requires \valid(a + (0 .. n)); assigns a[0 .. n - 1]; */
void fills(int *a, int n) { for (int i = 0; i <= n; i++) a[i] = 5; }
/*@ requires \valid(p); assigns *p, g; */ void first(int *p) { *p = 3; g = 4; }
/*@ requires \valid(p + (0 .. 1)); assigns *p; */ void second(int *p) { p[0] = 3; p[1] = 4; }
/*@ requires \valid(s); assigns s->x; */ void member(struct pair *s) { s->x = 1; s->y = 2; }
/*@ assigns table[1 .. 2]; */ void table_part(int n) { table[1 + (n & 1)] = n; }
/*@ assigns table[1 .. 2]; */ void table_rest(int n) { table[n & 3] = n; }
void ext(void);
/*@ assigns \nothing; */ void calls_out(int n) { if (n == 3) ext(); }
/*@ behavior small: assumes n < 3; assigns \nothing; behavior large: assumes n >= 3; assigns g; */
void cases(int n) { g = n; }
