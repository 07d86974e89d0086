/* A variable is added to itself after a comparison that no octagon understands: what is known of its old value says
 * nothing of the new one. */
int f(int a)
{
    int x = 1;
    if (a > 2 * x + 3)
        return 1;
    x = a + x;
    return x;
}
