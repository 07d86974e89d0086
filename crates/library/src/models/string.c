/* Models of string.h and strings.h in the "C" locale.
 *
 * `//= name` begins the model of a function; it ends where the next one begins. Models may call each other; only those
 * a program needs are read. They do what the C standard and POSIX say, in the simplest way; comparisons give the
 * difference of the bytes that decide, as the GNU C library does. */

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

//= stpncpy
char *stpncpy(char *to, const char *from, size_t n) {
    size_t i = 0, end;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
    end = i;
    for (; i < n; i++)
        to[i] = 0;
    return to + end;
}

//= strlcpy
size_t strlcpy(char *to, const char *from, size_t room) {
    size_t length = strlen(from), i;
    for (i = 0; i + 1 < room && i < length; i++)
        to[i] = from[i];
    if (room > 0)
        to[i] = 0;
    return length;
}

//= strlcat
size_t strlcat(char *to, const char *from, size_t room) {
    size_t length = strnlen(to, room);
    if (length == room)
        return length + strlen(from);
    return length + strlcpy(to + length, from, room - length);
}

//= strcasestr
char *strcasestr(const char *s, const char *wanted) {
    for (;; s++) {
        size_t i = 0;
        while (wanted[i] && s[i] && tolower((unsigned char)s[i]) == tolower((unsigned char)wanted[i]))
            i++;
        if (!wanted[i])
            return (char *)s;
        if (!s[i])
            return 0;
    }
}

//= strtok
static char *clew_token;
char *strtok(char *s, const char *delimiters) {
    return strtok_r(s, delimiters, &clew_token);
}

//= strxfrm
size_t strxfrm(char *to, const char *from, size_t room) {
    size_t length = strlen(from), i;
    for (i = 0; i < room && i < length; i++)
        to[i] = from[i];
    if (i < room)
        to[i] = 0;
    return length;
}

//= basename
char *basename(const char *path) {
    char *last = strrchr(path, '/');
    return last ? last + 1 : (char *)path;
}

//= __xpg_basename
char *__xpg_basename(char *path) {
    char *end, *last;
    if (!path || !*path)
        return (char *)".";
    end = path + strlen(path);
    for (last = end; last > path && last[-1] == '/'; last--)
        ;
    if (last == path)
        return end - 1;
    if (*last)
        *last = 0;
    while (last > path && last[-1] != '/')
        last--;
    return last;
}

//= dirname
char *dirname(char *path) {
    char *end;
    if (!path || !*path)
        return (char *)".";
    end = path + strlen(path);
    while (end > path && end[-1] == '/')
        end--;
    while (end > path && end[-1] != '/')
        end--;
    if (end == path && *path != '/')
        return (char *)".";
    while (end > path && end[-1] == '/')
        end--;
    if (end == path)
        end += path[1] == '/' && path[2] != '/' ? 2 : 1;
    *end = 0;
    return path;
}

//= ffs
int ffs(int n) {
    int i;
    for (i = 0; i < (int)sizeof n * 8; i++)
        if ((unsigned)n >> i & 1)
            return i + 1;
    return 0;
}

//= ffsl
int ffsl(long n) {
    int i;
    for (i = 0; i < (int)sizeof n * 8; i++)
        if ((unsigned long)n >> i & 1)
            return i + 1;
    return 0;
}

//= ffsll
int ffsll(long long n) {
    int i;
    for (i = 0; i < (int)sizeof n * 8; i++)
        if ((unsigned long long)n >> i & 1)
            return i + 1;
    return 0;
}
