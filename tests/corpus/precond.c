/* Preconditions in C, after PathCrawler: `f_precond` says which inputs `f` may be given. That of `f` accepts in two ways,
 * that of `sorted` has a loop, that of `never` accepts nothing. */
int f_precond(int x, int y) { return (x > 0 && y > 0) || x < -10; }

int f(int x, int y) {
    if (x > 5)
        return 1;
    if (y == 0)
        return 2;
    return 0;
}

int sorted_precond(const int *a, int n) {
    if (n < 0 || n > 3)
        return 0;
    for (int i = 0; i + 1 < n; i++)
        if (a[i] > a[i + 1])
            return 0;
    return 1;
}

int sorted(const int *a, int n) {
    for (int i = 0; i + 1 < n; i++)
        if (a[i] > a[i + 1])
            return 0;
    return 1;
}

int never_precond(int x) { return x > 3 && x < 2; }

int never(int x) { return x; }
