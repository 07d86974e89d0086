/* What optimisation may change: whether a value is known to the compiler. */
double known(double x)
{
    double two = 2.0;
    if (__builtin_constant_p(two))
        return x;
    return x > 1.0 ? x + two : x;
}
