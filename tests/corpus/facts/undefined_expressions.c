// What C leaves undefined and sanitizers or compilers complain about.
//> 1 prove --checks --function literal
//= access
//= violated
//> 1 prove --checks --function last_use
//= proved
//> 1 prove --checks --function twice
//= unsequenced
//= violated
//> 1 prove --checks --function steps
//= unsequenced
//> 1 prove --checks --function arguments
//= unsequenced
//> 0 prove --checks --function ordered
//! unsequenced
//> 1 prove --checks --function five
//= representation
//= violated
//> 0 prove --checks --function plain_bool
//! violated
//> 1 prove --checks --function other_type
//= variable-argument
//= violated
//> 0 prove --checks --function same_type
//= proved
#include <stdarg.h>
int literal(int n) {
    int *p = &n;
    if (n > 3) { p = (int[]){1, 2}; }
    return *p;
}

int last_use(int n) {
    int s = 0;
    for (int i = 0; i < 3; i++) { int *p = (int[]){n & 3, i}; s += p[0] + p[1]; }
    return s / (n - n);
}

int twice(int i) { i = i++ + ++i; return i; }
int steps(int i) { int a[9] = {0}; i &= 3; a[i] = i++; return a[i]; }
static int add(int a, int b) { return a ^ b; }
int arguments(int i) { i &= 7; return add(i++, i); }
int ordered(int i) { int j; i &= 7; j = i++ && i; j ^= (i++, i) ^ add(j, 1); i = (j = i); return i ? i++ : j; }

int five(void) { union { unsigned char c; _Bool b; } u; u.c = 5; return u.b; }
/*@ requires \valid(p); */ int plain_bool(_Bool *p, int n) { _Bool b = n; return *p && b; }

static int first(int n, ...) { va_list l; va_start(l, n); int r = n ? (int)va_arg(l, double) : va_arg(l, int); va_end(l); return r; }
int other_type(void) { return first(1, 7); }
int same_type(void) { return first(0, 7); }
