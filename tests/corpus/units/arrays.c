/* Arrays of several dimensions, pointers to arrays, pointers to pointers. */
#include <stddef.h>
#define N 3

int winner(char board[N][N]) {
    for (int i = 0; i < N; i++)
        if (board[i][0] != ' ' && board[i][0] == board[i][1] && board[i][1] == board[i][2])
            return board[i][0];
    if (board[0][0] != ' ' && board[0][0] == board[1][1] && board[1][1] == board[2][2])
        return board[0][0];
    return 0;
}

int grid[4][2];

int cell(unsigned row, unsigned column) {
    if (row >= 4 || column >= 2)
        return -1;
    return grid[row][column] < 0 ? 0 : grid[row][column];
}

int deep(int ***p) {
    if (p == NULL || *p == NULL)
        return 0;
    if (**p == NULL)
        return 1;
    return ***p == 9 ? 3 : 2;
}

int set_out(char **out, int choice) {
    static char yes[] = "yes", no[] = "no";
    if (!out)
        return -1;
    if (*out != NULL)
        return -2;
    *out = choice ? yes : no;
    return 0;
}

int row_sum(int (*rows)[4], int count) {
    int best = -1, most = 0;
    for (int i = 0; i < count; i++) {
        int sum = 0;
        for (int j = 0; j < 4; j++)
            sum += rows[i][j] & 0x7f;
        if (sum > most) {
            most = sum;
            best = i;
        }
    }
    return best;
}

int cube(int c[2][3][4]) {
    if (c[1][2][3] == 5 && c[0][1][2] == 6)
        return 1;
    return 0;
}
