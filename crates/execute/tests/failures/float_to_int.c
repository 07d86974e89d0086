// A float too large for the integer.
int main(void) {
    double d = 1e20;
    return (int)d; //~ float does not fit the integer type: (int)f64 0x1.5af1d78b58c4p+66
}
