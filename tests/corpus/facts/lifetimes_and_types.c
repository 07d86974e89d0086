/* A variable of a block is another object in each turn, and a function is called as it is declared. */
//> 1 prove --checks --function last
//= violated
int last(void)
{
    int *p = 0;
    int s = 0;
    for (int i = 0; i < 3; i++) {
        int v = i;
        if (p)
            s += *p;
        p = &v;
    }
    return s;
}

//> 0 prove --checks --function own
//! violated
int own(void)
{
    int s = 0;
    for (int i = 0; i < 3; i++) {
        int v = i;
        int *p = &v;
        s += *p;
    }
    return s;
}

//> 1 prove --checks --function another_result
//= function-pointer  line 37: g(1.0)  violated
int abs(int);
int another_result(void)
{
    int (*f)(int) = abs;
    double (*g)(double) = (double (*)(double))f;
    return g(1.0) > 0;
}

//> 1 prove --checks --function too_few
//= function-pointer  line 46: g(1)  violated
static int two(int a, int b) { return a < b ? b : a; }
int too_few(void)
{
    int (*g)(int) = (int (*)(int))two;
    return g(1);
}

//> 0 prove --checks --function as_declared
//! violated
int as_declared(void)
{
    int (*g)(int, int) = two;
    return g(1, 2);
}

//> prove --checks --function back_from_number
//! violated
int back_from_number(unsigned long b)
{
    int x = 5;
    if (b != 0)
        return 5;
    unsigned long u = (unsigned long)&x ^ b;
    return *(int *)u;
}
