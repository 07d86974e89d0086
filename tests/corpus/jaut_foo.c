/* foo of the JAUT paper (ISSRE 2010) in C: how often the loop turns is decided by a condition after it. */
int a = 1;

int foo(int i) {
    int j = 10;
    while (i > 1) {
        j++;
        i--;
    }
    if (j > 50 * a)
        return 1;                                     /* @goal I */
    return 0;
}
