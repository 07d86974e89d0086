/* Where the input that makes a label hold then runs into something undefined, other inputs may not. */
//> test --criterion boundary,weak-mutation
//! only inputs do that
/*@ requires 0 <= b <= 1 && 0 <= m <= 1 && 0 <= g <= 1; */
int chosen(int b, int p, int m, int g)
{
    int t[4] = {0, 1, 2, 3};
    int k = -1, y = 0, x = 1;
    y = (5 & p) != 1 || k > b ? 2 : x * 1000000000;
    if (m == g && t[y])
        return 2;
    return 1;
}
