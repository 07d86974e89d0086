/* Compares models of library functions, compiled under names that begin with `m_`, with the functions of the machine's C
 * library, on random inputs and on boundary cases. Prints each difference; the exit code says whether there were any. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <wchar.h>

char *__xpg_basename(char *);
char *dirname(char *);

/* The models under other names, then the real names again. */
#include "models.c"

static unsigned long long state = 1;
static int failures;

static unsigned random_below(unsigned bound) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33) % bound;
}

static void check(const char *what, long long own, long long real, const char *a, const char *b) {
    if (own != real && failures++ < 40)
        printf("%s(\"%s\", \"%s\"): model %lld, library %lld\n", what, a, b, own, real);
}

static void same_bytes(const char *what, const void *own, const void *real, size_t n, const char *a, const char *b) {
    if (memcmp(own, real, n) && failures++ < 40)
        printf("%s(\"%s\", \"%s\"): memory differs: \"%.40s\" and \"%.40s\"\n", what, a, b, (const char *)own, (const char *)real);
}

static int sign(int n) { return (n > 0) - (n < 0); }

/* A position of a result, -1 for null. */
static long long place(const void *result, const void *start) {
    return result ? (const char *)result - (const char *)start : -1;
}

static void fill(char *to, unsigned most, const char *alphabet) {
    unsigned n = random_below(most + 1), i, letters = (unsigned)strlen(alphabet);
    for (i = 0; i < n; i++)
        to[i] = alphabet[random_below(letters)];
    to[n] = 0;
}

/* Both results are of one type; memory is compared, too. */
static void strings(void) {
    static const char *const alphabets[] = {"ab", "aA/", "ab ,", "a\x80\xff" "A", "/."};
    const char *alphabet = alphabets[random_below(5)];
    char a[16] = {0}, b[16] = {0}, own[48], real[48], *x, *y, *p = 0, *q = 0;
    int c = random_below(4) ? alphabet[random_below((unsigned)strlen(alphabet))] : 0;
    size_t n = random_below(12);
    fill(a, 10, alphabet);
    fill(b, 4, alphabet);
#define RESET (memset(own, 'x', 48), strcpy(own, a), memcpy(real, own, 48))
#define VALUE(f, arguments) check(#f, m_##f arguments, f arguments, a, b)
#define SIGN(f, arguments) check(#f, sign(m_##f arguments), sign(f arguments), a, b)
#define PLACE(f, start, arguments) check(#f, place(m_##f arguments, start), place(f arguments, start), a, b)
#define COPY(f, rest) (RESET, x = (char *)m_##f(own, rest), y = (char *)f(real, rest), \
    check(#f, place(x, own), place(y, real), a, b), same_bytes(#f, own, real, 48, a, b))
#define COPY_N(f, m) (RESET, x = (char *)m_##f(own, b, m), y = (char *)f(real, b, m), \
    check(#f, place(x, own), place(y, real), a, b), same_bytes(#f, own, real, 48, a, b))
    VALUE(strlen, (a));
    VALUE(strnlen, (a, n));
    SIGN(strcmp, (a, b));
    SIGN(strncmp, (a, b, n));
    SIGN(strcasecmp, (a, b));
    SIGN(strncasecmp, (a, b, n));
    SIGN(memcmp, (a, b, n));
    VALUE(strspn, (a, b));
    VALUE(strcspn, (a, b));
    PLACE(strchr, a, (a, c));
    PLACE(strrchr, a, (a, c));
    PLACE(strchrnul, a, (a, c));
    PLACE(strstr, a, (a, b));
    PLACE(strcasestr, a, (a, b));
    PLACE(strpbrk, a, (a, b));
    PLACE(memchr, a, (a, c, n));
    PLACE(memrchr, a, (a, c, n));
    PLACE(memmem, a, (a, n, b, strlen(b)));
    PLACE(rawmemchr, a, (a, 0));
    PLACE(basename, a, (a));
    COPY(strcpy, b);
    COPY(stpcpy, b);
    COPY(strcat, b);
    COPY_N(strncpy, n);
    COPY_N(stpncpy, n);
    COPY_N(strncat, n);
    COPY_N(mempcpy, n);
    RESET;
    check("memccpy", place(m_memccpy(own, b, c, n), own), place(memccpy(real, b, c, n), real), a, b);
    same_bytes("memccpy", own, real, 48, a, b);
    RESET;
    m_bcopy(own, own + 2, n), bcopy(real, real + 2, n);
    same_bytes("bcopy", own, real, 48, a, b);
    RESET;
    m_bzero(own, n), bzero(real, n);
    same_bytes("bzero", own, real, 48, a, b);
    RESET;
    m_swab(a, own, (long)n), swab(a, real, (long)n);
    same_bytes("swab", own, real, 48, a, b);
    RESET;
    check("strxfrm", (long long)m_strxfrm(own, b, n), (long long)strxfrm(real, b, n), a, b);
    if (strlen(b) < n)
        same_bytes("strxfrm", own, real, strlen(b) + 1, a, b);
    RESET;
    x = m___xpg_basename(own), y = __xpg_basename(real);
    if (strcmp(x, y))
        check("__xpg_basename", 0, 1, a, x);
    same_bytes("__xpg_basename", own, real, 48, a, b);
    RESET;
    x = m_dirname(own), y = dirname(real);
    if (strcmp(x, y))
        check("dirname", 0, 1, a, x);
    same_bytes("dirname", own, real, 48, a, b);
    RESET;
    do {
        x = m_strtok_r(p ? 0 : own, b, &p), y = strtok_r(q ? 0 : real, b, &q);
        check("strtok_r", place(x, own), place(y, real), a, b);
    } while (x && y);
    RESET;
    for (x = m_strtok(own, b), y = strtok(real, b); x && y; x = m_strtok(0, b), y = strtok(0, b))
        check("strtok", place(x, own), place(y, real), a, b);
    check("strtok", !x, !y, a, b);
    same_bytes("strtok", own, real, 48, a, b);
    RESET;
    p = own, q = real;
    do {
        x = m_strsep(&p, b), y = strsep(&q, b);
        check("strsep", place(x, own), place(y, real), a, b);
    } while (x && y);
    x = m_reallocarray(0, 3, n + 1), y = m_reallocarray(x, (size_t)-1, n + 2);
    check("reallocarray", !x, 0, a, b);
    check("reallocarray", !y, 1, a, b);
    free(x);
    x = m_strdup(a), y = m_strndup(a, n);
    check("strdup", strcmp(x, a), 0, a, b);
    check("strndup", strncmp(y, a, n) || strlen(y) != strnlen(a, n), 0, a, b);
    free(x), free(y);
}

static void characters(void) {
    int c;
    for (c = -1; c < 256; c++) {
        char a[2] = {(char)c, 0};
#define CLASS(f) check(#f, m_##f(c), f(c), a, "")
        CLASS(isalnum), CLASS(isalpha), CLASS(isascii), CLASS(isblank), CLASS(iscntrl), CLASS(isdigit);
        CLASS(isgraph), CLASS(islower), CLASS(isprint), CLASS(ispunct), CLASS(isspace), CLASS(isupper);
        CLASS(isxdigit), CLASS(toascii), CLASS(tolower), CLASS(toupper);
        check("__ctype_b_loc", (*m___ctype_b_loc())[c], (*__ctype_b_loc())[c], a, "");
        check("__ctype_tolower_loc", (*m___ctype_tolower_loc())[c], (*__ctype_tolower_loc())[c], a, "");
        check("__ctype_toupper_loc", (*m___ctype_toupper_loc())[c], (*__ctype_toupper_loc())[c], a, "");
    }
}

static void number(const char *s, int base) {
    char *own, *real, text[8];
    snprintf(text, sizeof text, "%d", base);
#define NUMBER(f) (*m___errno_location() = errno = 0, \
    check(#f, (long long)m_##f(s, &own, base), (long long)f(s, &real, base), s, text), \
    check(#f " end", place(own, s), place(real, s), s, text), \
    check(#f " errno", *m___errno_location(), errno, s, text))
    NUMBER(strtol), NUMBER(strtoll), NUMBER(strtoul), NUMBER(strtoull);
    if (base == 10) {
        check("atol", m_atol(s), atol(s), s, "");
        check("atoll", m_atoll(s), atoll(s), s, "");
        check("atoi", m_atoi(s), atoi(s), s, "");
    }
}

static void numbers(void) {
    static const char *const edges[] = {"", " ", "-", "+", "0x", "0X", "-0x", "0xg", "08", "0x7fffffffffffffff",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
        "18446744073709551615", "18446744073709551616", "-18446744073709551615", "-18446744073709551616",
        "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "\t\n\v\f\r 12", "1 2", "zz", "+-1",
        "99999999999999999999999999", "-99999999999999999999999999", "0b101", "1_000"};
    static const int bases[] = {0, 2, 3, 8, 10, 16, 36};
    char a[16];
    unsigned i, j;
    for (i = 0; i < sizeof edges / sizeof *edges; i++)
        for (j = 0; j < 7; j++)
            number(edges[i], bases[j]);
    for (i = 0; i < 4000; i++) {
        fill(a, 12, "0123456789xXabcfzZ+- ");
        number(a, bases[random_below(7)]);
    }
}

/* Only numbers that the model supports; the exponents of others would make it multiply for long. */
static void decimal(const char *s) {
    char *own, *real;
    double a, b;
    float c, d;
    m_unsupported = 0;
    a = m_strtod(s, &own), b = strtod(s, &real);
    if (!m_unsupported) {
        check("strtod end", place(own, s), place(real, s), s, "");
        same_bytes("strtod", &a, &b, sizeof a, s, "");
        a = m_atof(s), b = atof(s);
        same_bytes("atof", &a, &b, sizeof a, s, "");
    }
    m_unsupported = 0;
    c = m_strtof(s, &own), d = strtof(s, &real);
    if (!m_unsupported) {
        check("strtof end", place(own, s), place(real, s), s, "");
        same_bytes("strtof", &c, &d, sizeof c, s, "");
    }
}

static void decimals(void) {
    static const char *const edges[] = {"", ".", "-", "+.", "5.", ".5", "-0", "-0.0e5", "1e", "1e+", "1e-", "1e5x", "1e22", "1e23",
        "1e-22", "9007199254740991", "9007199254740992", "9007199254740993", "0.1", "0.3", "123456789012345e-22", "e5", "1.2.3",
        " 7", "0e99999", "16777215e10", "16777217", "1e-10", "8388607e-10", "00000000000000000000001"};
    char a[16];
    unsigned i;
    for (i = 0; i < sizeof edges / sizeof *edges; i++)
        decimal(edges[i]);
    for (i = 0; i < 20000; i++) {
        fill(a, 12, random_below(2) ? "0123456789" : "0123456789.e-+ ");
        decimal(a);
    }
}

static int order(const void *a, const void *b) { return *(const unsigned char *)a / 4 - *(const unsigned char *)b / 4; }

static void sorting(void) {
    unsigned char own[24], real[24], key = (unsigned char)random_below(64);
    size_t count = random_below(9), size = 1 + random_below(2), i;
    for (i = 0; i < 24; i++)
        own[i] = real[i] = (unsigned char)random_below(64);
    m_qsort(own, count, size, order), qsort(real, count, size, order);
    same_bytes("qsort", own, real, 24, "", "");
    check("bsearch", place(m_bsearch(&key, own, count, size, order), own), place(bsearch(&key, real, count, size, order), real), "", "");
}

static void integers(void) {
    static const long long edges[] = {0, 1, -1, 2, INT_MAX, INT_MIN, LONG_MAX, LONG_MIN, 4, 1LL << 40, 255, 256};
    long long n = random_below(3) ? edges[random_below(12)] : (long long)random_below(UINT_MAX) - 5;
    int d = (int)random_below(9) - 4;
    check("ffs", m_ffs((int)n), ffs((int)n), "", "");
    check("ffsl", m_ffsl((long)n), ffsl((long)n), "", "");
    check("ffsll", m_ffsll(n), ffsll(n), "", "");
    if (d != 0 && !(d == -1 && ((int)n == INT_MIN || n == LLONG_MIN))) {
        struct clew_div own = m_div((int)n, d);
        struct clew_lldiv wide = m_lldiv(n, d);
        check("div", own.quot * 100LL + own.rem, div((int)n, d).quot * 100LL + div((int)n, d).rem, "", "");
        check("ldiv", m_ldiv((long)n, d).quot ^ m_ldiv((long)n, d).rem, ldiv((long)n, d).quot ^ ldiv((long)n, d).rem, "", "");
        check("lldiv", wide.quot ^ wide.rem << 50, lldiv(n, d).quot ^ lldiv(n, d).rem << 50, "", "");
    }
}

/* A random directive, and all kinds of arguments. */
static void formatting(void) {
    static const char conversions[] = "diuxXoc%s";
    static const char *const lengths[] = {"", "h", "hh", "l", "ll", "z", "j", "t"};
    static const long long edges[] = {0, 1, -1, 9, 10, 255, INT_MAX, INT_MIN, LLONG_MAX, LLONG_MIN, 1000, -128};
    char format[40] = "<", own[64], real[64];
    long long n = edges[random_below(12)];
    char c = conversions[random_below(9)];
    const char *length = c == 'c' || c == 's' || c == '%' ? "" : lengths[random_below(8)];
    size_t room = random_below(3) ? 64 : random_below(12);
    int a, b, is_long = *length && *length != 'h';
    strcat(format, "%");
    if (c != '%') {
        if (random_below(2))
            strcat(format, (const char *[]){"-", "0", "+", " ", "#", "#0", "-+", "+0"}[random_below(8)]);
        if (random_below(2))
            sprintf(format + strlen(format), "%u", 1 + random_below(12));
        if (random_below(2) && c != 'c')
            sprintf(format + strlen(format), ".%u", random_below(8));
    }
    sprintf(format + strlen(format), "%s%c>", length, c);
    memset(own, '~', 64), memset(real, '~', 64);
    if (c == 's') {
        a = m_snprintf(own, room, format, "text");
        b = snprintf(real, room, format, "text");
    } else if (is_long) {
        a = m_snprintf(own, room, format, n);
        b = snprintf(real, room, format, n);
    } else {
        a = m_snprintf(own, room, format, (int)n);
        b = snprintf(real, room, format, (int)n);
    }
    check("snprintf", a, b, format, "");
    same_bytes("snprintf", own, real, 64, format, "");
    a = m_sprintf(own, "%*d|%-*s|%.*s", 5, -3, -4, "ab", 1, "xyz"), b = sprintf(real, "%*d|%-*s|%.*s", 5, -3, -4, "ab", 1, "xyz");
    check("sprintf", a, b, "", "");
    same_bytes("sprintf", own, real, (size_t)b + 1, "", "");
}

static void scanning(void) {
    static const char *const formats[] = {"%d", "%d %d", "%2d%d", "%u,%u", "%x", "%i", "%o", "%s", "%3s%s", "%c%c",
        "%[ab]", "%[^ ]%c", "%[a-c1-3]", "%*d%d", "%d%%%d", " %c", "%hd", "%hhx", "%ld", "%lld", "%zu", "a%d", "%d%n", "%5d:%d", "%*s %d"};
    static const char *const edges[] = {"", " ", "0x", "0xg", "-0x1", "2147483648", "99999999999999999999", "-99999999999999999999", "12 34", "1,2", "08", "12%34"};
    const char *format = formats[random_below(25)];
    char s[24];
    unsigned char own[3][32], real[3][32];
    int a, b;
    if (random_below(8))
        fill(s, 10, (const char *[]){"0123 ", "12-+ ", "abc12 ", "0x1f,:%", " a1"}[random_below(5)]);
    else
        strcpy(s, edges[random_below(12)]);
    memset(own, 7, sizeof own), memset(real, 7, sizeof real);
    *m___errno_location() = errno = 0;
    a = m_sscanf(s, format, own[0], own[1], own[2]);
    b = sscanf(s, format, real[0], real[1], real[2]);
    check("sscanf", a, b, s, format);
    same_bytes("sscanf", own, real, sizeof own, s, format);
}

static void wide(void) {
    wchar_t a[12] = {0}, b[6] = {0}, own[24], real[24];
    unsigned i, n = random_below(10), m = random_below(5);
    for (i = 0; i < n; i++)
        a[i] = (wchar_t)(1 + random_below(3));
    for (i = 0; i < m; i++)
        b[i] = (wchar_t)(1 + random_below(3));
    n = random_below(8);
    check("wcslen", (long long)m_wcslen(a), (long long)wcslen(a), "", "");
    check("wcscmp", sign(m_wcscmp(a, b)), sign(wcscmp(a, b)), "", "");
    check("wcsncmp", sign(m_wcsncmp(a, b, n)), sign(wcsncmp(a, b, n)), "", "");
    check("wcschr", place(m_wcschr(a, 2), a), place(wcschr(a, 2), a), "", "");
    check("wcsrchr", place(m_wcsrchr(a, 2), a), place(wcsrchr(a, 2), a), "", "");
    check("wmemchr", place(m_wmemchr(a, 2, n), a), place(wmemchr(a, 2, n), a), "", "");
    wmemset(own, 9, 24), m_wmemset(real, 9, 24);
    same_bytes("wmemset", own, real, sizeof own, "", "");
    m_wcscpy(own, a), wcscpy(real, a), m_wcscat(own, b), wcscat(real, b);
    same_bytes("wcscat", own, real, sizeof own, "", "");
    m_wcsncpy(own, b, n), wcsncpy(real, b, n), m_wmemcpy(own + 12, a, n), wmemcpy(real + 12, a, n);
    same_bytes("wcsncpy", own, real, sizeof own, "", "");
}

int main(void) {
    int i;
    characters();
    numbers();
    decimals();
    for (i = 0; i < 20000; i++) {
        strings();
        sorting();
        integers();
        formatting();
        scanning();
        wide();
    }
    return failures != 0;
}
