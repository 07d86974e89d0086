/* Inputs may overlap wherever C allows it: tests do it where it decides something, and a proof that excludes it says so. */
//> 0 test --criterion decision
//! 1 covered
//! 1 infeasible
//> 1 prove --function both
//= violated
//= with q = p
//> 1 prove --function written
//= violated
//= with q = p
//> 0 prove --function apart
//= proved
//! assumes
//> 0 prove --function sum
//= * assumes: `p` and `q` do not overlap (separation
//> 3 prove --function sum --assumptions strict
//= unknown
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

struct T { int *a; int *b; };

int members(struct T *t)
{
    *t->a = 1;
    *t->b = 2;
    if (*t->a == 2) return 2;
    return 1;
}

int bytes(int *p, char *c)
{
    *p = 1;
    *c = 2;
    if (*p == 2) return 1;
    return 0;
}

int later_element(int *p, int *q)
{
    p[1] = 3;
    q[0] = 5;
    if (p[1] == 5) return 1;
    return 0;
}

int earlier_element(int *p, int *q)
{
    p[0] = 3;
    q[1] = 5;
    if (p[0] == 5) return 1;
    return 0;
}

int around(int *q, struct S *p)
{
    *q = 2;
    p->b = 1;
    if (*q == 1) return 2;
    return 1;
}

int copied(struct S *p, struct S *q)
{
    p->a = 1;
    q->a = 2;
    struct S r = *p;
    if (r.a == 2) return 2;
    return 1;
}

/*@ ensures *p == 1; */
void written(int *p, int *q)
{
    *p = 1;
    *q = 2;
}

/*@ requires \separated(p, q);
    ensures *p == 1; */
void apart(int *p, int *q)
{
    *p = 1;
    *q = 2;
}

/*@ ensures \result == 3; */
int sum(int *p, int *q)
{
    *p = 1;
    *q = 1;
    return 3 + 0 * (*p - *q);
}
