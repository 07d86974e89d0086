/* What abstract interpretation excludes from runs that C defines may well happen in a run that is undefined later. */
//> test --function third --criterion weak-mutation --effort 2
//= infeasible: at line 9, `a > 2` with the constant +1 would differ
//= division by zero
/*@ requires 0 <= a <= 4; requires 0 <= b <= 3; */
int third(int a, unsigned char b)
{
    int g = 1;
    if (a > 2)
        g = b;
    for (int i = 0; i < b; i++)
        g++;
    return 7 / (a - 3) + g;
}
