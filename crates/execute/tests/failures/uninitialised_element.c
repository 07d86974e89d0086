// An element nobody wrote.
static int second(int *p) {
    return p[1]; //~ uninitialised: byte 4 of an object of 12 bytes was never written (variable `x` of `main`)
}
int main(void) {
    int x[3];
    x[0] = 1;
    return second(x);
}
