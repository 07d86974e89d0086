/* A check that fails on every input is violated, not dead code. */
//> 1 prove --checks
//= pointer-arithmetic  line 12: v[i]  violated
//= access  line 12: v[i]  violated
//= access  line 19: v[7]  violated
//= access  line 25: v[-2] = a  violated
//= pointer-arithmetic  line 32: a + 4  violated
//! proved
int before(int i)
{
    int v[6] = {0};
    if (i < 0) return v[i];
    return 0;
}

int beyond(void)
{
    int v[6] = {0};
    return v[7];
}

int written(int a)
{
    int v[6] = {0};
    v[-2] = a;
    return 0;
}

int moved(void)
{
    int a[3];
    int *p = a + 4;
    return p != 0;
}
