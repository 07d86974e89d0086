/* Reduces an angle turn by turn. The solver would have to follow a hundred rounded differences; any angle of the right size
 * shows what happens. The remainder goes where a pointer of the input leads. */
int reduce(double x, double *rest) {
    int turns = 0;
    if (x < 0.0)
        x = -x;
    if (!(x < 500.0))
        return -1;
    while (x >= 6.283185307179586) {
        x -= 6.283185307179586;
        turns++;
    }
    *rest = x * x * x * x - x * x + x;
    if (turns > 70)
        return 2;
    if (*rest > 100.0 && turns > 9)
        return 1;
    return 0;
}
