/* What keeps compilers from computing: a volatile variable that only its function knows of. Nobody changes it. */
static double barrier(double x)
{
    volatile double y = x;
    return y;
}

int forced(double x)
{
    if (barrier(x) < 1.0 && x > 2.0)
        return 1;
    if (barrier(x) + 1.0e-300 == x)
        return 2;
    return 0;
}
