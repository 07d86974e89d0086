//@ options: -- -O2 -D_FORTIFY_SOURCE=2
/* Headers that put checks of their own into callers: what is tested is the program as it is written. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

int open_one(const char *name, int create)
{
    char copy[16];
    if (strlen(name) >= sizeof copy)
        return -2;
    memset(copy, 0, sizeof copy);
    memcpy(copy, name, strlen(name));
    if (copy[0] == '/')
        return open(copy, O_RDONLY);
    return create ? open(copy, O_WRONLY | O_CREAT, 0600) : -1;
}
