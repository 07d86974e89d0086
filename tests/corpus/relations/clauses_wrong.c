/* A relational clause of a function that is not there. */
/*@ relational \forall int x; \callpure(f, x) == \callpure(g, x); */
int f(int x)
{
    return x;
}
