// One past the end of an array.
int main(void) {
    int a[4] = {1, 2, 3, 4}, sum = 0;
    for (int i = 0; i <= 4; i++)
        sum += a[i]; //~ out of bounds: 4 bytes at offset 16 of an object of 16 bytes (variable `a` of `main`)
    return sum;
}
