/* What one counter gains the other loses. */
int never(int n) {
    int x = 0, y = 100;
    while (n > 0) {
        x++;
        y--;
        n--;
    }
    if (x + y != 100)
        return 1; //~ unreachable
    return 0;
}
int maybe(int n) {
    int x = 0, y = 100;
    while (n > 0) {
        x++;
        y = y - 1 - (n == 3);
        n--;
    }
    if (x + y != 100)
        return 1; //~ reachable
    return 0;
}
