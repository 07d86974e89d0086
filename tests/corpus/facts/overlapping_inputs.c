/* Inputs may overlap wherever C allows it: a verdict that excludes it says so. */
//> test --criterion decision --assumptions strict
//! 1 infeasible
//> prove --function both
//= * assumes: `p` and `q` do not overlap (separation
struct S { int a; int b; };

/*@ ensures \result == 1; */
int both(int *p, int *q)
{
    *p = 1;
    *q = 2;
    if (*p == 2) return 2;
    return 1;
}

int member(struct S *p, int *q)
{
    p->a = 1;
    *q = 2;
    if (p->a == 2) return 2;
    return 1;
}

int behind(int **pp, int *q)
{
    **pp = 1;
    *q = 2;
    if (**pp == 2) return 2;
    return 1;
}

int *global_pointer;
int global;

int through_global(void)
{
    global = 1;
    *global_pointer = 2;
    if (global == 2) return 2;
    return 1;
}

int signs(int *p, unsigned *q)
{
    *p = 1;
    *q = 2;
    if (*p == 2) return 2;
    return 1;
}
