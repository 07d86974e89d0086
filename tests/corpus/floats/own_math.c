/* Functions that compilers know by name and that the program defines itself: their calls are not computed, nor are
 * their arguments exchanged. */
float fmaxf(float x, float y)
{
    if (x != x)
        return y;
    if (y != y)
        return x;
    return x > y ? x : y;
}

double trunc(double x)
{
    if (x < 0.0)
        return x > -1.0 ? -0.0 : x;
    return x;
}

int known(float x, double y)
{
    if (fmaxf(x, 3.0f) == 3.5f)
        return 1;
    if (trunc(-0.5) == y)
        return 2;
    return 0;
}
