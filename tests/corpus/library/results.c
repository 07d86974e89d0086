/* Results as the C library gives them, in proofs as in tests: numbers, pointers into arguments, memory that changes. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*@ ensures \result == 42; */ //~ proved
int number(void) {
    return atoi("42");
}
/*@ ensures \result == -17; */ //~ proved
int number_and_end(void) {
    char s[8] = " -17x", *end;
    int n = (int)strtol(s, &end, 10);
    return end == s + 4 ? n : 0;
}
/*@ ensures \result == 'Z'; */ //~ proved
int through_result(void) {
    char s[3] = "ab";
    *strchr(s, 'b') = 'Z';
    return s[1];
}
/*@ ensures \result == 7; */ //~ proved
int first_arguments(void) {
    char s[8] = "ab", t[8] = "cd";
    return (strcpy(s, t) == s) + 2 * (strcat(s, t) == s) + 4 * (strncpy(s, t, 3) == s);
}
/*@ ensures \result == 15; */ //~ proved
int into_arguments(void) {
    char s[8] = "ab,cd", t[3] = "xy", *rest = s, *last;
    int n = (stpcpy(t, "z") == t + 1) + 2 * (memrchr(s, ',', 5) == s + 2);
    n += 4 * (strsep(&rest, ",") == s);
    return n + 8 * (strtok_r(rest, ",", &last) == s + 3);
}
/*@ ensures \result == 3; */ //~ proved
int tokens(void) {
    char s[8] = "a b";
    return (strtok(s, " ") == s) + 2 * (strtok(0, " ") == s + 2);
}
static int calls;
static int order(const void *a, const void *b) {
    calls++;
    return *(const int *)a - *(const int *)b;
}
/*@ ensures \result == 13; */ //~ proved
int sorted(void) {
    int a[3] = {3, 1, 2}, key = 2;
    calls = 0;
    qsort(a, 3, sizeof *a, order);
    return a[0] + 10 * (calls > 0) + 2 * (bsearch(&key, a, 3, sizeof *a, order) == a + 1);
}
/*@ ensures \result == 0; */ //~ proved
int error_number(int a) {
    errno = a;
    return errno != a;
}
/*@ ensures \result == 3; */ //~ proved
int printed(void) {
    char b[8];
    int n = snprintf(b, sizeof b, "%d%c%s", 7, '-', "x");
    return n == 3 && !strcmp(b, "7-x") ? n : 0;
}
/*@ ensures \result == 123; */ //~ proved
int scanned(void) {
    int a = 0, b = 0;
    return sscanf("12, 3", "%d,%d", &a, &b) == 2 ? a * 10 + b : 0;
}
/*@ ensures \result == 1; */ //~ proved
int decimal(void) {
    char s[8] = "-2.5e1x", *end;
    return strtod(s, &end) == -25.0 && end == s + 6 && atof("0.1") == 0.1;
}
