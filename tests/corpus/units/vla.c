/* Arrays whose length is only known at run time: local, two-dimensional, as parameters. */
int palindrome(int n, const int *values) {
    if (n < 1 || n > 4)
        return -1;
    int reversed[n];
    for (int i = 0; i < n; i++)
        reversed[n - 1 - i] = values[i];
    for (int i = 0; i < n; i++)
        if (reversed[i] != values[i])
            return 0;
    return 1;
}

int trace_positive(int n, int m[n][n]) {
    int sum = 0;
    if (n > 3)
        return -1;
    for (int i = 0; i < n; i++)
        sum += m[i][i] & 0xff;
    return sum > 100;
}

int transposed(int rows, int columns, int m[rows][columns]) {
    if (rows < 1 || columns < 1 || rows > 3 || columns > 3)
        return -1;
    int t[columns][rows];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            t[j][i] = m[i][j];
    if (sizeof t != sizeof(int) * 6)
        return 0;
    return t[columns - 1][0] == 42;
}
