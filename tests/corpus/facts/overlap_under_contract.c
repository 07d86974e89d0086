/* Parameters may lead into one object although the precondition looks behind them, unless it says that they do not. */
//> 0 test --function both --criterion decision
//= 2 covered, 0 infeasible, 0 unknown
//> 0 test --function compared --criterion decision
//= 2 covered, 0 infeasible, 0 unknown
//> 0 test --function member --criterion decision
//= 2 covered, 0 infeasible, 0 unknown
//> 0 test --function variable --criterion decision
//= 2 covered, 0 infeasible, 0 unknown
//> 0 test --function ranges --criterion decision
//= 2 covered, 0 infeasible, 0 unknown
//> 0 test --function apart --criterion decision
//= 1 covered, 1 infeasible, 0 unknown
//> 0 test --function unequal --criterion decision
//= 1 covered, 1 infeasible, 0 unknown
//> 1 prove --function both
//= violated
//= with q = p
//> 0 prove --function apart
//= proved
//! assumes
struct pair { int m; int n; };
int g;

/*@ requires \valid(p) && \valid(q); ensures \result == 1; */
int both(int *p, int *q)
{
    *p = 1;
    *q = 2;
    if (*p == 2) return 2;
    return 1;
}

/*@ requires \valid(p) && \valid(q) && 0 <= *p <= 1; */
int compared(int *p, int *q)
{
    if (p == q) return 2;
    return 1;
}

/*@ requires \valid(p) && \valid(s) && s->n < 9; */
int member(int *p, struct pair *s)
{
    s->n = 1;
    *p = 2;
    if (s->n == 2) return 2;
    return 1;
}

/*@ requires \valid(p) && *p > 3; */
int variable(int *p)
{
    *p = 1;
    g = 2;
    if (*p == 2) return 2;
    return 1;
}

/*@ requires n == 3 && \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1)); */
int ranges(int *a, int *b, int n)
{
    a[1] = 1;
    b[1] = 2;
    if (a[1] == 2) return 2;
    return 1;
}

/*@ requires \valid(p) && \valid(q) && \separated(p, q); ensures \result == 1; */
int apart(int *p, int *q)
{
    *p = 1;
    *q = 2;
    if (*p == 2) return 2;
    return 1;
}

/*@ requires \valid(p) && \valid(q) && *p != *q; */
int unequal(int *p, int *q)
{
    if (p == q) return 2;
    return 1;
}
