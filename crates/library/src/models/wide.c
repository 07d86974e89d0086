/* Models of wchar.h: wide strings. A wide character is an `int` here, as in the GNU C library. */

//= wcslen
size_t wcslen(const int *s) {
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

//= wcscmp
int wcscmp(const int *a, const int *b) {
    for (; *a == *b; a++, b++)
        if (*a == 0)
            return 0;
    return *a < *b ? -1 : 1;
}

//= wcsncmp
int wcsncmp(const int *a, const int *b, size_t n) {
    for (; n > 0; n--, a++, b++) {
        if (*a != *b)
            return *a < *b ? -1 : 1;
        if (*a == 0)
            return 0;
    }
    return 0;
}

//= wcschr
int *wcschr(const int *s, int wanted) {
    for (;; s++) {
        if (*s == wanted)
            return (int *)s;
        if (*s == 0)
            return 0;
    }
}

//= wcsrchr
int *wcsrchr(const int *s, int wanted) {
    const int *found = 0;
    for (;; s++) {
        if (*s == wanted)
            found = s;
        if (*s == 0)
            return (int *)found;
    }
}

//= wcscpy
int *wcscpy(int *to, const int *from) {
    size_t i = 0;
    while ((to[i] = from[i]))
        i++;
    return to;
}

//= wcsncpy
int *wcsncpy(int *to, const int *from, size_t n) {
    size_t i = 0;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
    for (; i < n; i++)
        to[i] = 0;
    return to;
}

//= wcscat
int *wcscat(int *to, const int *from) {
    wcscpy(to + wcslen(to), from);
    return to;
}

//= wmemchr
int *wmemchr(const int *s, int wanted, size_t n) {
    for (; n > 0; n--, s++)
        if (*s == wanted)
            return (int *)s;
    return 0;
}

//= wmemset
int *wmemset(int *to, int value, size_t n) {
    size_t i;
    for (i = 0; i < n; i++)
        to[i] = value;
    return to;
}

//= wmemcpy
int *wmemcpy(int *to, const int *from, size_t n) {
    memcpy(to, from, n * sizeof *to);
    return to;
}
