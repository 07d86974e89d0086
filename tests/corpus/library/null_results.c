/* Results of functions that search may be null: an access through them fails where nothing is found. */
#include <stdlib.h>
#include <string.h>

int character(int x) {
    char b[4] = "abc";
    return strchr(b, x)[0]; //~ violated
}
int last(int x) {
    char b[4] = "abc";
    return strrchr(b, x)[0]; //~ violated
}
int part(char x) {
    char b[4] = "abc", w[2] = {x, 0};
    return strstr(b, w)[0]; //~ violated
}
int byte(int x) {
    char b[4] = "abc";
    return *(char *)memchr(b, x, 4); //~ violated
}
int found(void) {
    char b[4] = "abc";
    return strchr(b, 'c')[0]; //~ proved
}
int looked_at(int x) {
    char b[4] = "abc", *p = strchr(b, x);
    return p ? *p : 0; //~ proved
}
int environment(void) {
    return getenv("HOME")[0]; //~ violated
}
int environment_looked_at(void) {
    const char *home = getenv("HOME");
    return home ? home[0] : 0; //~ proved
}
int copied(void) {
    return strdup("a")[0]; //~ violated
}
