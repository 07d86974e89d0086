/* Reading a variable that was never written is a finding, and nothing behind it is infeasible. */
//> 3 test --criterion decision
//= the value was never written
//= 0 infeasible
int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void)
{
    int buf;
    int a = __VERIFIER_nondet_int();
    if (buf == 0) a = a + 0;
    if (a == 12345) reach_error();
    return 0;
}
