// Functions that verifiers know give a value; they write no variable.
//> 0 test --function main -c decision
//= 4 objectives, 3 covered, 1 infeasible
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int g = 5;
int main(void) {
    int a = __VERIFIER_nondet_int();
    if (a > 3 && g == 7) reach_error();
    if (a == 9) return 1;
    return g;
}
