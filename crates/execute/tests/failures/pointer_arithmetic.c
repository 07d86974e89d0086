// A pointer before its array.
int main(void) {
    int a[3], *p = a + 1;
    p -= 2; //~ pointer leaves its object: offset 4 moved by -8 in 12 bytes (variable `a` of `main`)
    return p == a;
}
