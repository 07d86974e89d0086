/* Sizes that the input gives, and that a check against overflow makes large unless small ones are looked for. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

int keep(const char *from, int n) {
    if (n < 0 || n == INT_MAX)
        return -1;
    char *to = malloc((size_t)n + 1);
    if (!to)
        return -2;
    memcpy(to, from, n);
    to[n] = 0;
    int found = n > 3 && to[0] == 'a';
    free(to);
    return found;
}

int take(char *to, const char *from, unsigned long n) {
    if (n > 100 && n < 5000)
        return 0;
    memmove(to, from, n);
    return n && to[0] == 7;
}
