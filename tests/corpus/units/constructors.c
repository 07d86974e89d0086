/* What runs before `main` calls what is not there, and does not run before tests. */
#include <stdlib.h>

void missing(int level);

static int level = 1;

__attribute__((constructor)) static void early(void)
{
    level = 9;
    missing(level);
}

__attribute__((__constructor__(101))) static void earlier(void)
{
    missing(0);
}

int is_ready(int wanted)
{
    if (level == 1 && wanted > 3)
        return 1;
    return 0;
}

__attribute__((destructor)) static void late(void)
{
    if (level > 1)
        missing(level);
}

void stop(int status)
{
    if (status > 2)
        exit(status);
    level = status;
}
