/* Two variables that go on in steps of different size keep their ratio. */
int never(int n) {
    int i = 0, x = 1;
    while (i < n) {
        i++;
        x += 3;
    }
    if (x != 3 * i + 1)
        return 1; //~ unreachable
    return 0;
}
int maybe(int n, int k) {
    int i = 0, x = 1;
    while (i < n) {
        i++;
        x += i == k ? 4 : 3;
    }
    if (x != 3 * i + 1)
        return 1; //~ reachable
    return 0;
}
