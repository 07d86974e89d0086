/* The median of three numbers, and two mutants of it: a missing path, and another comparison (ISSRE 2003, table 3). */
int GetMid(int x1, int x2, int x3)
{
    int mid = x3;
    if (x2 < x3) {
        if (x1 < x2)
            mid = x2;
        else if (x1 < x3)
            mid = x1;
    } else {
        if (x1 > x2)
            mid = x2;
        else if (x1 > x3)
            mid = x1;
    }
    return mid;
}

int GetMid_1(int x1, int x2, int x3)
{
    int mid = x3;
    if (x2 < x3) {
        if (x1 < x2)
            mid = x2;
        else if (x1 < x3)
            mid = x1;
    } else {
        if (x1 > x2)
            mid = x2;
    }
    return mid;
}

int GetMid_2(int x1, int x2, int x3)
{
    int mid = x3;
    if (x2 == x3) {
        if (x1 < x2)
            mid = x2;
        else if (x1 < x3)
            mid = x1;
    } else {
        if (x1 > x2)
            mid = x2;
        else if (x1 > x3)
            mid = x1;
    }
    return mid;
}
