/* Members of a structure that go together. */
struct window {
    int low, high;
};
int never(int n) {
    struct window w = {0, 10};
    while (n-- > 0) {
        w.low++;
        w.high++;
        if (w.low > 100) {
            w.low = 0;
            w.high = 10;
        }
    }
    if (w.high - w.low != 10)
        return 1; //~ unreachable
    return 0;
}
int maybe(int n) {
    struct window w = {0, 10};
    while (n-- > 0) {
        w.low++;
        w.high++;
        if (w.low > 100) {
            w.low = 0;
            w.high = 10;
        }
    }
    if (w.high - w.low != 9)
        return 1; //~ reachable
    return 0;
}
