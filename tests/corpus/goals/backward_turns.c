/* A loop that matters is unrolled backwards: whatever the number of turns, the last two say it all. */
int never(int *a, int n) {
    int last = 0, before = 0;
    for (int i = 0; i < n; i++) {
        before = last;
        last = i;
    }
    if (n > 1 && last - before != 1)
        return a[0]; //~ unreachable
    return 0;
}

int maybe(int *a, int n) {
    int last = 0, before = 0;
    for (int i = 0; i < n; i++) {
        before = last;
        last = i;
    }
    if (n > 0 && last - before != 1)
        return a[0]; //~ reachable
    return 0;
}
