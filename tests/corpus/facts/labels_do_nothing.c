/* A label marks a place. It writes no variable, whether it is a call or a comment. */
//> test --function called --criterion decision
//= infeasible: makes the decision `g == 5` at line 19 true
//> test --function commented --criterion decision
//= infeasible: makes the decision `g == 5` at line 28 true
//> prove --function called
//= ensures \result == 0;  proved
void pc_label(int, int);
int g;

/*@ requires 0 <= g <= 1;
    ensures \result == 0; */
int called(int a)
{
    int *p = &g;
    pc_label(a > 3, 1);
    if (a > 7)
        *p = a & 1;
    if (g == 5)
        return 1;
    return 0;
}

/*@ requires 0 <= g <= 1; */
int commented(int a)
{
    //@ label big: a > 3;
    if (g == 5)
        return 1;
    return 0;
}
