// The one quotient that does not fit.
int main(void) {
    int a = -2147483647 - 1, b = -1;
    return a / b; //~ signed overflow in division: -2147483648 / -1
}
