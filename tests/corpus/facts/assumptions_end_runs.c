// A run that an assumption ends did what it did before.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
//> 0 test --function both -c condition
//= 4 objectives, 4 covered
//> 0 test --function both -c decision
//= 2 objectives, 2 covered
int both(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    __VERIFIER_assume(a > 3 && b > 4);
    return a;
}
// What comes after it knows that it holds.
//> 0 test --function after -c decision
//= 1 covered, 1 infeasible
//> 0 prove --function after --ensures '\result == 0'
//= proved
int after(void) {
    int a = __VERIFIER_nondet_int();
    __VERIFIER_assume(a > 3);
    if (a < 2)
        return 1;
    return 0;
}
//> 0 test --function stored -c decision
//= 2 objectives, 2 covered
int stored(void) {
    int a = __VERIFIER_nondet_int(), fits = 0;
    if (a > 3)
        fits = 1;
    __VERIFIER_assume(fits);
    return a;
}
