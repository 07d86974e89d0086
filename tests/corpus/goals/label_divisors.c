/* Conditions that no solver sees through, on an argument that has few values: they are tried one by one. */
int never(unsigned char a)
{
    int divisors = 0;
    for (int i = 1; i <= a; i++)
        if (a % i == 0)
            divisors++;
    if (divisors == 2 && a % 2 == 0 && a != 2)
        return 1;                                     //~ unreachable
    return 0;
}

int maybe(unsigned char a)
{
    int divisors = 0;
    for (int i = 1; i <= a; i++)
        if (a % i == 0)
            divisors++;
    if (divisors == 16 && a % 7 == 0)
        return 1;                                     //~ reachable
    return 0;
}
