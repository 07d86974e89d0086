/* Calls without a prototype, with arguments of other widths than the parameters have, as old programs make them. */
int high();
int has();
int most();

int wide(int x)
{
    if (high(x))
        return 3;
    return 2;
}

int narrow(long x)
{
    return has(x, 0) ? 3 : 2;
}

int third(int x)
{
    int (*function)() = most;
    return function(x, 1, 2, 3) > 7 ? 1 : 0;
}

int high(x)
long x;
{
    if (x > 5)
        return 1;
    return 0;
}

int has(x, p)
int x;
char *p;
{
    if (p)
        return *p == x;
    return x == 17;
}

int most(x, y)
int x, y;
{
    return x > y ? x : y;
}
