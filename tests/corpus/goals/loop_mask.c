/* The last turn alone decides the low bits. */
int never(unsigned x, int n) {
    for (int i = 0; i < n; i++)
        x = (x << 3) & 0xF8;
    if (n > 0 && (x & 7))
        return 1; //~ unreachable
    return 0;
}
int maybe(unsigned x, int n) {
    for (int i = 0; i < n; i++)
        x = (x << 3) & 0xF8;
    if (n > 0 && (x & 8))
        return 1; //~ reachable
    return 0;
}
