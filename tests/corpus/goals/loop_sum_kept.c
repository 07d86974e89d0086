/* What leaves two stores arrives in a third: the sum of all three stays. */
int never(int a, int b, int n) {
    int c = 0, total;
    if (a < 0 || b < 0 || a > 1000 || b > 1000)
        return 0;
    total = a + b;
    while (n-- > 0) {
        if (a > 0) {
            a--;
            c++;
        } else if (b > 0) {
            b--;
            c++;
        }
    }
    if (a + b + c != total)
        return 1; //~ unreachable
    return 0;
}
int maybe(int a, int b, int n) {
    int c = 0, total;
    if (a < 0 || b < 0 || a > 1000 || b > 1000)
        return 0;
    total = a + b;
    while (n-- > 0) {
        if (a > 0) {
            a--;
            c++;
        } else {
            b--;
            c++;
        }
        if (b == -1)
            b = 0;
    }
    if (a + b + c != total)
        return 1; //~ reachable
    return 0;
}
