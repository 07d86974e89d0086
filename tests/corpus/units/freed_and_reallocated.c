/* What is freed may give its place to what is allocated next: no test may say that the result is the object it freed. */
#include <stdlib.h>

static char *last;

char *renew(int is_long)
{
    if (last)
        free(last);
    last = malloc(is_long ? 40 : 25);
    if (!last)
        return NULL;
    last[0] = 'a';
    return last;
}
