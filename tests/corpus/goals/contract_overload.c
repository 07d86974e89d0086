/* The first position of a value, in the manner of "ACSL by Example": predicates of one name, told apart by their
 * parameters, and behaviors that are complete and disjoint. */
/*@ predicate holds{L}(int *a, integer from, integer to, int v) = \exists integer i; from <= i < to && a[i] == v;
    predicate holds{L}(int *a, integer n, int v) = holds(a, 0, n, v); */
/*@ requires n <= 4 && \valid_read(a + (0 .. n - 1));
    assigns \nothing;
    ensures 0 <= \result <= n;
    behavior some:
      assumes holds(a, n, v);
      ensures bound: \result < n;
      ensures found: a[\result] == v;
      ensures first: !holds(a, \result, v);
    behavior none:
      assumes !holds(a, n, v);
      ensures \result == n;
    complete behaviors;
    disjoint behaviors; */
unsigned position(const int *a, unsigned n, int v)
{
    /*@ loop invariant 0 <= i <= n;
        loop assigns i;
        loop variant n - i; */
    for (unsigned i = 0; i < n; i++)
        if (a[i] == v)
            return i;
    return n;
}
