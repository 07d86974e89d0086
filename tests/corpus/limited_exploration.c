/* What an exploration that is cut short may say: which values are still in variables, and which calls still lie ahead. */
int never_again(int a, int b)
{
    int x = 1, y = a;
    if (a > 2)
        x = 2;
    while (b > 0) {
        if (x == 1 && y < -1)
            y = 0;
        b--;
        x = x + y;
    }
    if (y < x)
        return 1;
    return 0;
}

static int level = 1;

static int raised(int by)
{
    int before = level;
    if (by > 1)
        level = by;
    return before + level;
}

int in_callees(int a, int b)
{
    int s = 0, i;
    level = 0;
    for (i = 0; i < b; i++) {
        s += raised(a);
        if (s > 4)
            a = 0;
    }
    return s + level;
}
