// Products of matrices of doubles.
#define SIZE 120

static double a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];

int main(void) {
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            a[i][j] = i + j;
            b[i][j] = i - j;
        }
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            for (int k = 0; k < SIZE; k++)
                c[i][j] += a[i][k] * b[k][j];
    return c[3][5] != 552740.000000;
}
