/* Two counters that move together stay equal. */
int never(int n) {
    int i = 0, j = 0;
    while (i < n) {
        i++;
        j++;
    }
    if (i != j)
        return 1; //~ unreachable
    return 0;
}
int maybe(int n, int k) {
    int i = 0, j = 0;
    while (i < n) {
        i++;
        if (i != k)
            j++;
    }
    if (i != j)
        return 1; //~ reachable
    return 0;
}
