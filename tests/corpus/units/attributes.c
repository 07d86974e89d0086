//@ options: -- -O2
/* Headers say of functions that they have no effects on variables of the unit, or that they give new objects: mocks do
   otherwise, which an optimising compiler must not see. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#undef remove
#undef malloc
#undef strerror

int clear(const char **names, int count)
{
    int left = 0;
    for (int i = 0; i < count && i < 3; i++) {
        if (remove(names[i]) != 0)
            left++;
    }
    return left;
}

FILE *reopen(int handle, int append)
{
    FILE *file = fdopen(handle, append ? "a" : "w");
    if (!file)
        return NULL;
    return file;
}

int can_allocate(unsigned size)
{
    char *room = malloc(size % 64);
    if (!room)
        return 0;
    free(room);
    return 1;
}

const char *reason(int number)
{
    return number > 3 ? strerror(number) : "none";
}
