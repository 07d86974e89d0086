/* The assumption of a behavior is recursive, which is not supported: of its promise nothing is known. */
/*@ predicate even(integer n) = n == 0 || n > 1 && even(n - 2); */
/*@ requires 0 <= n <= 100;
    behavior twofold:
      assumes even(n);
      ensures 2 * \result == n; */
int half(int n)
{
    return n / 2;
}
