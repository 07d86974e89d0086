// Variable-length arrays: sizes evaluated once, typedefs, pointers to them, parameters, lifetimes in loops.
#include <stdio.h>
#include <string.h>

static int trace(int rows, int cols, int m[rows][cols]) {
    int t = 0;
    for (int i = 0; i < rows && i < cols; i++) t += m[i][i];
    return t + (int)(sizeof m[0] / sizeof(int));
}

static int side(int n, int a[n++]) { return n + a[0]; }

int main(void) {
    int n = 3;
    int a[n][n + 1];
    n = 10;
    for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) a[i][j] = i * 10 + j;
    printf("%zu %zu %d %d\n", sizeof a, sizeof a[0], a[2][3], trace(3, 4, a));
    typedef int row[n];
    n = 2;
    row r;
    memset(r, 0, sizeof r);
    printf("%zu %zu\n", sizeof r, sizeof(row));
    int (*p)[n] = (int (*)[n])a;
    printf("%d %d\n", p[1][0], (*(p + 2))[1]);
    int total = 0;
    for (int i = 1; i < 6; i++) {
        char buffer[i * 2];
        for (int j = 0; j < (int)sizeof buffer; j++) buffer[j] = (char)j;
        if (i == 4) continue;
        total += buffer[sizeof buffer - 1] + (int)sizeof buffer;
    }
    printf("%d %d\n", total, side(5, (int[]){ 4 }));
    int (*q)[n + 1] = &(int[3]){ 7, 8, 9 };
    printf("%d %zu\n", (*q)[2], sizeof *q);
    return 0;
}
