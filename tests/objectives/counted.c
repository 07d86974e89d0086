/* Small enough to count its objectives by hand; the counts are those of docs/criteria.md.
   decisions: the loop, the switch with two arms, the ternary. conditions: a > 0, b != 3, s. */
int counted(int a, int b) {
    int s = 0;
    while (a > 0 && b != 3) {
        s += a;
        a--;
    }
    switch (b) {
    case 1:
        return s;
    default:
        break;
    }
    return s ? 1 : 2;
}
