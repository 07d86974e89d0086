/* A loop that tests at its end. */
int never(int i) {
    do {
        i++;
    } while (i < 10);
    if (i < 10)
        return 1; //~ unreachable
    return 0;
}
int maybe(int i) {
    do {
        i++;
    } while (i < 10);
    if (i > 10)
        return 1; //~ reachable
    return 0;
}
