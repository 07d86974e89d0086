/* The only way out of an endless loop says what holds after it. */
int never(int x) {
    for (;;) {
        if (x >= 10)
            break;
        x++;
    }
    if (x < 10)
        return 1; //~ unreachable
    return 0;
}
int maybe(int x) {
    for (;;) {
        if (x >= 10 || x == 7)
            break;
        x++;
    }
    if (x < 10)
        return 1; //~ reachable
    return 0;
}
