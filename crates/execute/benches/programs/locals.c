// Calls with arrays and address-taken variables of their own.
static void divide(int a, int b, int *quotient, int *remainder) {
    *quotient = a / b;
    *remainder = a % b;
}

static int digits(int number) {
    int buffer[12], count = 0, sum = 0;
    while (number > 0) {
        int quotient, remainder;
        divide(number, 10, &quotient, &remainder);
        buffer[count++] = remainder;
        number = quotient;
    }
    for (int i = 0; i < count; i++)
        sum += buffer[i];
    return sum;
}

int main(void) {
    long sum = 0;
    for (int i = 0; i < 200000; i++)
        sum += digits(i);
    return sum != 4600000;
}
