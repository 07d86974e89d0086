/* Definitions in the style of Kernighan and Ritchie, with promoted parameters. */
int compare(a, b, mode)
    long a, b;
    char mode;
{
    if (mode == 'r')
        return a < b ? 1 : a > b ? -1 : 0;
    return a < b ? -1 : a > b;
}

double scale(x, factor)
    float x, factor;
{
    if (factor == 0.0f)
        return 0.0;
    return x / factor > 2.0f ? 2.0 : x / factor;
}

int count_char(text, wanted)
    char *text;
    int wanted;
{
    register int n = 0;
    while (*text)
        if (*text++ == wanted)
            n++;
    return n;
}

static int twice();

int uses_old_declaration(n)
    int n;
{
    if (twice(n) > 10)
        return 1;
    return 0;
}

static int twice(n)
    int n;
{
    return 2 * (n & 0xff);
}
