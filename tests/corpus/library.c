/* Functions of the C library that are modelled: paths lead through them, native execution calls the real ones. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int lengths(const char *s) {
    if (strlen(s) == 3)
        return 1;
    if (!strcmp(s, "hello"))
        return 2;
    return 0;
}

int classes(const char *s) {
    if (isalpha((unsigned char)s[0]) && isdigit(s[1]) && tolower(s[2]) == 'q')
        return 1;
    return 0;
}

int numbers(const char *s) {
    char *end;
    long value = strtol(s, &end, 10);
    if (*end)
        return 1;
    if (value == 42)
        return 2;
    return atoi(s) == -7;
}

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

int sorting(const int *a) {
    int b[3] = {a[0], a[1], a[2]}, k = 5;
    qsort(b, 3, sizeof *b, compare);
    if (b[0] == b[1])
        return 1;
    return bsearch(&k, b, 3, sizeof *b, compare) != NULL;
}

int searching(const char *s) {
    char *p = strchr(s, '=');
    if (!p)
        return 1;
    if (strstr(p, "ab"))
        return 2;
    if (memcmp(s, "xy", 2) == 0)
        return 3;
    return errno;
}

int splitting(const char *s) {
    char *copy = strdup(s), *rest, *token;
    if (strcspn(copy, ",;") == 2)
        return 1;
    token = strtok_r(copy, " ", &rest);
    if (token && *token == 'z')
        return 2;
    return 0;
}

/* Needs more characters than paths through a library function are asked for one by one. */
int lengthy(const char *s) {
    if (strlen(s) >= 32)
        return 1;
    return 0;
}
