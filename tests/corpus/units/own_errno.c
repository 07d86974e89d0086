/* A variable that only has the name of the library's errno, as headers before threads declare it. */
#include <stdlib.h>

extern int errno;

int name_of(const char *name)
{
    if (!name || !name[0]) {
        errno = 22;
        return -1;
    }
    return errno == 34 ? 1 : 0;
}

int parse(const char *text)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text)
        return -1;
    if (value > 100 && errno != 34)
        return 100;
    return value > 0;
}

int sign_of(int value)
{
    return value < 0 ? -1 : 1;
}
