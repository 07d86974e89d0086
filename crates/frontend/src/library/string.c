/* Models of string.h and strings.h in the "C" locale.
 *
 * `//= name` begins the model of a function; it ends where the next one begins. Models may call each other; only those
 * a program needs are read. They do what the C standard and POSIX say, in the
 * simplest way; comparisons give the difference of the bytes that decide, as the GNU C library does. */

//= strlen
size_t strlen(const char *s) {
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

//= strnlen
size_t strnlen(const char *s, size_t most) {
    size_t n = 0;
    while (n < most && s[n])
        n++;
    return n;
}

//= strcmp
int strcmp(const char *a, const char *b) {
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    while (*x == *y) {
        if (*x == 0)
            return 0;
        x++;
        y++;
    }
    return *x - *y;
}

//= strcoll
int strcoll(const char *a, const char *b) {
    return strcmp(a, b);
}

//= strncmp
int strncmp(const char *a, const char *b, size_t n) {
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    for (; n > 0; n--, x++, y++) {
        if (*x != *y)
            return *x - *y;
        if (*x == 0)
            return 0;
    }
    return 0;
}

//= strcasecmp
int strcasecmp(const char *a, const char *b) {
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    int difference;
    while ((difference = tolower(*x) - tolower(*y)) == 0 && *x) {
        x++;
        y++;
    }
    return difference;
}

//= strncasecmp
int strncasecmp(const char *a, const char *b, size_t n) {
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    for (; n > 0; n--, x++, y++) {
        int difference = tolower(*x) - tolower(*y);
        if (difference || !*x)
            return difference;
    }
    return 0;
}

//= stpcpy
char *stpcpy(char *to, const char *from) {
    while ((*to = *from)) {
        to++;
        from++;
    }
    return to;
}

//= strcpy
char *strcpy(char *to, const char *from) {
    stpcpy(to, from);
    return to;
}

//= strncpy
char *strncpy(char *to, const char *from, size_t n) {
    size_t i = 0;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
    for (; i < n; i++)
        to[i] = 0;
    return to;
}

//= strcat
char *strcat(char *to, const char *from) {
    stpcpy(to + strlen(to), from);
    return to;
}

//= strncat
char *strncat(char *to, const char *from, size_t n) {
    size_t end = strlen(to), i = 0;
    for (; i < n && from[i]; i++)
        to[end + i] = from[i];
    to[end + i] = 0;
    return to;
}

//= strchr
char *strchr(const char *s, int wanted) {
    for (;; s++) {
        if (*s == (char)wanted)
            return (char *)s;
        if (*s == 0)
            return 0;
    }
}

//= index
char *index(const char *s, int wanted) {
    return strchr(s, wanted);
}

//= strchrnul
char *strchrnul(const char *s, int wanted) {
    while (*s && *s != (char)wanted)
        s++;
    return (char *)s;
}

//= strrchr
char *strrchr(const char *s, int wanted) {
    const char *found = 0;
    for (;; s++) {
        if (*s == (char)wanted)
            found = s;
        if (*s == 0)
            return (char *)found;
    }
}

//= rindex
char *rindex(const char *s, int wanted) {
    return strrchr(s, wanted);
}

//= memchr
void *memchr(const void *block, int wanted, size_t n) {
    const unsigned char *bytes = block;
    for (; n > 0; n--, bytes++)
        if (*bytes == (unsigned char)wanted)
            return (void *)bytes;
    return 0;
}

//= memrchr
void *memrchr(const void *block, int wanted, size_t n) {
    const unsigned char *bytes = block;
    while (n-- > 0)
        if (bytes[n] == (unsigned char)wanted)
            return (void *)(bytes + n);
    return 0;
}

//= rawmemchr
void *rawmemchr(const void *block, int wanted) {
    const unsigned char *bytes = block;
    while (*bytes != (unsigned char)wanted)
        bytes++;
    return (void *)bytes;
}

//= memcmp
int memcmp(const void *a, const void *b, size_t n) {
    const unsigned char *x = a, *y = b;
    for (; n > 0; n--, x++, y++)
        if (*x != *y) {
            /* All n bytes must be there, not only those up to a difference. */
            (void)x[n - 1], (void)y[n - 1];
            return *x - *y;
        }
    return 0;
}

//= bcmp
int bcmp(const void *a, const void *b, size_t n) {
    return memcmp(a, b, n);
}

//= memccpy
void *memccpy(void *to, const void *from, int last, size_t n) {
    unsigned char *target = to;
    const unsigned char *source = from;
    for (; n > 0; n--)
        if ((*target++ = *source++) == (unsigned char)last)
            return target;
    return 0;
}

//= strstr
char *strstr(const char *s, const char *wanted) {
    for (;; s++) {
        size_t i = 0;
        while (wanted[i] && s[i] == wanted[i])
            i++;
        if (!wanted[i])
            return (char *)s;
        if (!*s)
            return 0;
    }
}

//= strspn
size_t strspn(const char *s, const char *accept) {
    size_t n = 0;
    /* Both must be strings, even where the first is empty. */
    strlen(accept);
    while (s[n] && strchr(accept, s[n]))
        n++;
    return n;
}

//= strcspn
size_t strcspn(const char *s, const char *reject) {
    size_t n = 0;
    strlen(reject);
    while (s[n] && !strchr(reject, s[n]))
        n++;
    return n;
}

//= strpbrk
char *strpbrk(const char *s, const char *accept) {
    s += strcspn(s, accept);
    return *s ? (char *)s : 0;
}

//= strsep
char *strsep(char **place, const char *delimiters) {
    char *start = *place, *end;
    if (!start)
        return 0;
    end = start + strcspn(start, delimiters);
    *place = *end ? end + 1 : 0;
    *end = 0;
    return start;
}

//= strtok_r
char *strtok_r(char *s, const char *delimiters, char **place) {
    char *end;
    if (!s)
        s = *place;
    s += strspn(s, delimiters);
    if (!*s) {
        *place = s;
        return 0;
    }
    end = s + strcspn(s, delimiters);
    if (*end)
        *end++ = 0;
    *place = end;
    return s;
}

//= __strtok_r
char *__strtok_r(char *s, const char *delimiters, char **place) {
    return strtok_r(s, delimiters, place);
}

//= strdup
char *strdup(const char *s) {
    char *copy = malloc(strlen(s) + 1);
    if (copy)
        strcpy(copy, s);
    return copy;
}

//= strndup
char *strndup(const char *s, size_t most) {
    size_t n = strnlen(s, most), i;
    char *copy = malloc(n + 1);
    if (!copy)
        return 0;
    for (i = 0; i < n; i++)
        copy[i] = s[i];
    copy[n] = 0;
    return copy;
}
