/* A function without a body may write what escaped: a verdict that excludes it says so. */
//> test --criterion decision
//= under assumptions
//= `ext` writes only to named variables and to what the arguments lead to (external-writes
//> test --criterion decision --assumptions strict
//= 0 infeasible
int *keep;
void ext(int);

int escaped(void)
{
    int l = 1;
    keep = &l;
    ext(0);
    keep = 0;
    if (l != 1) return 1;
    return 0;
}

int behind(int *p)
{
    *p = 1;
    ext(0);
    if (*p != 1) return 1;
    return 0;
}
