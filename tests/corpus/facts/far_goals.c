/* Goals that are many turns of a loop away: the turns are made in one step, and replayed natively. */
//> 0 reach --goal "s == 3000000@14" --effort 4
//= covered
//> 0 reach --goal "t == 1783293664u@26" --function triangular --effort 4
//= covered
//> 1 prove --function never_so_much --effort 4
//= violated

int steps_of_three(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += 3;
    if (s == 3000000)
        return 1;
    return 0;
}

unsigned triangular(unsigned n)
{
    unsigned t = 0, i = 0;
    while (i < n) {
        t += i;
        i++;
    }
    if (t == 1783293664u)
        return 1;
    return 0;
}

/*@ requires n <= 2000000; ensures \result < 1500000; */
int never_so_much(int n)
{
    int i = 0;
    while (i < n)
        i++;
    return i;
}
