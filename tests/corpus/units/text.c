/* Text: base64, UTF-8, numbers, wildcards, tokens, fields. */
#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
size_t base64_encode(const uint8_t *in, size_t n, char *out) {
    size_t o = 0;
    for (size_t i = 0; i < n; i += 3) {
        uint32_t v = (uint32_t)in[i] << 16;
        if (i + 1 < n)
            v |= (uint32_t)in[i + 1] << 8;
        if (i + 2 < n)
            v |= in[i + 2];
        out[o++] = alphabet[v >> 18 & 63];
        out[o++] = alphabet[v >> 12 & 63];
        out[o++] = i + 1 < n ? alphabet[v >> 6 & 63] : '=';
        out[o++] = i + 2 < n ? alphabet[v & 63] : '=';
    }
    out[o] = 0;
    return o;
}
static int value(char c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}
int base64_decode(const char *in, uint8_t *out, size_t room) {
    size_t n = 0;
    while (in[0] && in[1] && in[2] && in[3]) {
        int a = value(in[0]), b = value(in[1]), c = value(in[2]), d = value(in[3]);
        if (a < 0 || b < 0)
            return -1;
        if (n >= room)
            return -2;
        out[n++] = (uint8_t)(a << 2 | b >> 4);
        if (in[2] == '=')
            return (int)n;
        if (c < 0)
            return -1;
        if (n >= room)
            return -2;
        out[n++] = (uint8_t)(b << 4 | c >> 2);
        if (in[3] == '=')
            return (int)n;
        if (d < 0)
            return -1;
        in += 4;
    }
    return in[0] ? -3 : (int)n;
}
int utf8_decode(const unsigned char *s, uint32_t *cp) {
    if (s[0] < 0x80) {
        *cp = s[0];
        return 1;
    }
    if (s[0] < 0xC2)
        return -1;
    if (s[0] < 0xE0) {
        if ((s[1] & 0xC0) != 0x80)
            return -2;
        *cp = (uint32_t)(s[0] & 0x1F) << 6 | (s[1] & 0x3F);
        return 2;
    }
    if (s[0] < 0xF0) {
        if ((s[1] & 0xC0) != 0x80 || (s[2] & 0xC0) != 0x80)
            return -2;
        *cp = (uint32_t)(s[0] & 0xF) << 12 | (uint32_t)(s[1] & 0x3F) << 6 | (s[2] & 0x3F);
        if (*cp < 0x800 || (*cp >= 0xD800 && *cp <= 0xDFFF))
            return -3;
        return 3;
    }
    return -4;
}
int parse_int(const char *s, int *out) {
    int sign = 1;
    long v = 0;
    while (isspace((unsigned char)*s))
        s++;
    if (*s == '-' || *s == '+')
        sign = *s++ == '-' ? -1 : 1;
    if (!isdigit((unsigned char)*s))
        return -1;
    while (isdigit((unsigned char)*s)) {
        v = v * 10 + (*s++ - '0');
        if (v > 99999)
            return -2;
    }
    if (*s)
        return -3;
    *out = (int)(sign * v);
    return 0;
}
int match(const char *pattern, const char *text) {
    if (*pattern == 0)
        return *text == 0;
    if (*pattern == '*')
        return match(pattern + 1, text) || (*text && match(pattern, text + 1));
    if (*text && (*pattern == '?' || *pattern == *text))
        return match(pattern + 1, text + 1);
    return 0;
}
struct token {
    int kind;
    const char *start;
    size_t length;
};
struct token next_token(const char **at) {
    struct token t = {0, *at, 0};
    while (**at == ' ')
        ++*at;
    t.start = *at;
    if (**at == 0)
        return t;
    if (isdigit((unsigned char)**at)) {
        t.kind = 1;
        while (isdigit((unsigned char)**at))
            ++*at;
    } else if (isalpha((unsigned char)**at) || **at == '_') {
        t.kind = 2;
        while (isalnum((unsigned char)**at))
            ++*at;
    } else if (strchr("+-*/()", **at)) {
        t.kind = 3;
        ++*at;
    } else {
        t.kind = -1;
        return t;
    }
    t.length = (size_t)(*at - t.start);
    return t;
}
int split(char *line, char *fields[], int most) {
    int n = 0;
    char *p = strtok(line, ",");
    while (p && n < most) {
        fields[n++] = p;
        p = strtok(NULL, ",");
    }
    return p ? -1 : n;
}
