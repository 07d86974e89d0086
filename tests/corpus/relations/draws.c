/* Paths from which inputs are drawn: the reference path of path-oriented random testing, and one of measure 1e-9. */
int product(int x, int y)
{
    if (y > x + 50 && x * y < 60)
        return 1;
    return 0;
}

int narrow(int x, int y)
{
    if (x >= 1000000 && x < 1000010 && y >= 70000 && y < 70010)
        return 1;
    return 0;
}

/*@ requires 0 <= x <= 1000; */
int halves(double x)
{
    if (x > 499.5)
        return 1;
    return 0;
}

/*@ requires 0 <= x <= 1; */
int unit(double x)
{
    return x > 0.5;
}
