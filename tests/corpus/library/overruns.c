/* Library functions that write or read past the end of an object. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int copy(void) {
    char b[4];
    strcpy(b, "abcd"); //~ violated
    return b[0];
}
int copy_that_fits(void) {
    char b[4];
    strcpy(b, "abc"); //~ proved
    return b[0];
}
int append(int n) {
    char b[6] = "ab";
    strcat(b, n > 5 ? "cdef" : "c"); //~ violated
    return b[0];
}
int append_that_fits(int n) {
    char b[6] = "ab";
    strcat(b, n > 5 ? "cd" : "c"); //~ proved
    return b[0];
}
int padded(unsigned n) {
    char b[4];
    if (n > 5)
        return 0;
    strncpy(b, "a", n); //~ violated
    return 1;
}
int print(int n) {
    char b[4];
    if (n < 0 || n > 2000)
        return 0;
    sprintf(b, "%d", n); //~ violated
    return b[0];
}
int print_that_fits(int n) {
    char b[5];
    if (n < 0 || n > 2000)
        return 0;
    sprintf(b, "%d", n); //~ proved
    return b[0];
}
int print_more_than_there_is(void) {
    char b[4];
    snprintf(b, 8, "%s", "abcd"); //~ violated
    return b[0];
}
int print_what_there_is(void) {
    char b[4];
    snprintf(b, sizeof b, "%s", "abcd"); //~ proved
    return b[0];
}
int compare(unsigned n) {
    char a[4] = {0}, b[4] = {0};
    return n < 6 ? memcmp(a, b, n) : 0; //~ violated
}
static int order(const void *a, const void *b) {
    return *(const char *)a - *(const char *)b;
}
int sort(unsigned n) {
    char b[4] = {3, 1, 2, 0};
    if (n < 6)
        qsort(b, n, 1, order); //~ violated
    return b[0];
}
int absolute(int n) {
    return abs(n); //~ violated
}
int line(FILE *f) {
    char b[4];
    return fgets(b, 8, f) ? b[0] : 0; //~ violated
}
int line_that_fits(FILE *f) {
    char b[4];
    return fgets(b, sizeof b, f) ? 1 : 0; //~ proved
}
