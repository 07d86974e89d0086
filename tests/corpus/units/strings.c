/* Strings: parsed by hand and by the library. */
#include <ctype.h>
#include <string.h>
#include <stdlib.h>

int is_identifier(const char *s) {
    if (!isalpha((unsigned char)*s) && *s != '_')
        return 0;
    while (*++s)
        if (!isalnum((unsigned char)*s) && *s != '_')
            return 0;
    return 1;
}

int key_value(const char *line, char *key, size_t size) {
    const char *equal = strchr(line, '=');
    if (!equal)
        return -1;
    size_t length = (size_t)(equal - line);
    if (length == 0 || length >= size)
        return -2;
    memcpy(key, line, length);
    key[length] = '\0';
    if (strcmp(key, "id") == 0)
        return 1;
    return atoi(equal + 1) > 9 ? 2 : 3;
}

char *trim(char *s) {
    char *end;
    while (isspace((unsigned char)*s))
        s++;
    if (*s == '\0')
        return s;
    end = s + strlen(s) - 1;
    while (end > s && isspace((unsigned char)*end))
        end--;
    end[1] = '\0';
    return s;
}

int ends_with(const char *text, const char *suffix) {
    size_t n = strlen(text), m = strlen(suffix);
    return m <= n && strcmp(text + n - m, suffix) == 0;
}
