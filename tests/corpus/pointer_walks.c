/* Pointers that walk through arrays of the input; the last ones leave them. */
#include <stddef.h>

size_t length(const char *s)
{
    const char *p = s;
    while (*p)
        p++;
    return (size_t)(p - s);
}

unsigned sum(const unsigned char *p, int n)
{
    unsigned total = 0;
    while (n-- > 0)
        total += *p++;
    return total;
}

static int is_blank(const char *s)
{
    return *s == ' ' || *s == '\t';
}

const char *skipped(const char *s)
{
    while (is_blank(s))
        s++;
    if (s[0] == '/' && s[1] == '/')
        s += 2;
    return s;
}

int copied(char *to, const char *from)
{
    int n = 0;
    while ((*to++ = *from++) != 0)
        n = (n + 1) % 100;
    return n;
}

int back(const char *s)
{
    while (*s == 'a')
        s--;
    return *s;
}

int jump(const char *s, int by)
{
    s += by;
    return *s;
}

int either(const char *s, const char *t, int which)
{
    static const char word[3] = "ab";
    const char *p = which ? s : word;
    while (*p == 'a')
        p++;
    return p[2];
}
