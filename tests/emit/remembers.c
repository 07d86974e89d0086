/* A function that remembers earlier calls: its tests must not see each other. */
int remembers(int x)
{
    static int calls;
    calls++;
    if (x > 5)
        return x > 100 ? 100 : calls;
    return -calls;
}
