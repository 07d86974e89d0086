// A divisor of zero.
static int quotient(int a, int b) {
    return a / b; //~ division by zero: 5 / 0
}
int main(void) { return quotient(5, 0); }
