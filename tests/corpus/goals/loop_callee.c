/* A function called in a loop keeps its range. */
static int next(int s) { return s < 5 ? s + 1 : 0; }
int never(int n) {
    int s = 0;
    while (n-- > 0)
        s = next(s);
    if (s > 5)
        return 1; //~ unreachable
    return 0;
}
static int later(int s) { return s < 6 ? s + 1 : 0; }
int maybe(int n) {
    int s = 0;
    while (n-- > 0)
        s = later(s);
    if (s > 5)
        return 1; //~ reachable
    return 0;
}
