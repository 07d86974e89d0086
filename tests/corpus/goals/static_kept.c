/* Reached by the sixth call. Paths that may lead there are few, those of the loop behind it without end. */
int f(int x, int n) {
    static int calls;
    int sum = 0;
    if (calls == 5)
        return 1; //~ later
    calls++;
    while (n > 0) {
        sum += x;
        if (sum > 1000)
            sum -= 7;
        n--;
    }
    return sum;
}
