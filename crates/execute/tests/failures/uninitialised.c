// A variable that only some paths set.
int main(int count, char **args) {
    int x;
    if (count > 5)
        x = 1;
    return x; //~ uninitialised: byte 0 of an object of 4 bytes was never written (variable `x` of `main`)
}
