/* Strings that are null, or that no null character ends. */
#include <stdio.h>
#include <string.h>

int length_of_null(int n) {
    const char *s = n == 3 ? 0 : "abc";
    return (int)strlen(s); //~ violated
}
int length_of_bytes(void) {
    char b[3] = {'a', 'b', 'c'};
    return (int)strlen(b); //~ violated
}
int length_of_string(void) {
    char b[4] = {'a', 'b', 'c'};
    return (int)strlen(b); //~ proved
}
int comparison_with_null(int n) {
    const char *s = n == 3 ? 0 : "abc";
    return strcmp("abc", s); //~ violated
}
int comparison_of_bytes(void) {
    char a[2] = {'a', 'b'};
    return strcmp(a, "abc"); //~ violated
}
int output_of_bytes(FILE *f) {
    char a[2] = {'a', 'b'};
    return fputs(a, f); //~ violated
}
int output_of_string(FILE *f) {
    char a[2] = {'a'};
    return fputs(a, f); //~ proved
}
