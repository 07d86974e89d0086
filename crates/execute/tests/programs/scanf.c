// sscanf and its conversions.
#include <stdio.h>

int main(void) {
    int x = 0, y = 0, count;
    unsigned u = 0;
    long l = 0;
    float f = 0;
    double d = 0;
    char word[20] = "", other[20] = "", letter = 0;
    count = sscanf("12 -34 0x1f abc 3.5 2.25e2 z", "%d %d %x %s %f %lf %c", &x, &y, &u, word, &f, &d, &letter);
    printf("%d %d %d %x %s %g %g %c\n", count, x, y, u, word, f, d, letter);
    count = sscanf("key=value;", "%[^=]=%[a-z]%n", word, other, &x);
    printf("%d %s %s %d\n", count, word, other, x);
    printf("%d\n", sscanf("", "%d", &x));
    printf("%d\n", sscanf("abc", "%d", &x));
    count = sscanf("5,6", "%d,%d", &x, &y);
    printf("%d %d %d\n", count, x, y);
    count = sscanf("12345", "%2d%3ld", &x, &l);
    printf("%d %d %ld\n", count, x, l);
    count = sscanf("99 bottles", "%*d %s", word);
    printf("%d %s\n", count, word);
    count = sscanf("0x10 010 10", "%i %i %i", &x, &y, &u);
    printf("%d %d %d %d\n", count, x, y, u);
    return 0;
}
