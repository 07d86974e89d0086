// What the contract of a callee requires is a property of its callers.
//> 1 prove --checks --function caller
//= callee(a - 5): requires x > 0;  proved
//= callee(a): requires x > 0;  violated
//> 1 prove --checks --function external
//= ext(n): requires 0 <= n <= 9;  violated
//> 0 prove --checks --function within
//= ext(n): requires 0 <= n <= 9;  proved
//> 1 prove --checks --function by_value
//= take(v): requires p.x < p.y;  violated
//> 1 prove --checks --function null_given
//= deref(0): requires \valid(p);  violated
//> 1 prove --checks --function cases
//= odd(n): requires n >= 0;  violated
struct pair { int x, y; };
/*@ requires x > 0; */ int callee(int x) { return x; }
int caller(int a) { if (a > 5) return callee(a - 5); return callee(a); }

/*@ requires 0 <= n <= 9; */ int ext(int n);
int external(int n) { return ext(n); }
int within(int n) { return n >= 0 && n < 10 ? ext(n) : 0; }

/*@ requires p.x < p.y; */ int take(struct pair p) { return 0; }
int by_value(int n) { struct pair v = {n, 3}; return take(v); }

/*@ requires \valid(p); */ int deref(int *p) { return p != 0; }
int null_given(void) { return deref(0); }

/*@ behavior odd: assumes n % 2 != 0; requires n >= 0; */ int odd(int n) { return n & 1; }
int cases(int n) { return odd(n); }
