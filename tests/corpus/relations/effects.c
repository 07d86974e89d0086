/* Functions that do more than compute, in relations in C. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int counted(int x)
{
    static int calls;
    return x + ++calls;
}

/*@ requires 0 <= x <= 1000; */
int counted_relation(int x)
{
    int first = counted(x);
    return counted(x) == first + 1;
}

/* Only read, so that calls share nothing. */
char digit(unsigned x)
{
    static const char *digits = "0123456789abcdef";
    static int offsets[2] = { 0, 8 };
    return digits[offsets[x >> 3 & 1] + (x & 7)];
}

int digits_relation(unsigned x)
{
    return digit(x) == digit(x + 16);
}

int told(int x)
{
    puts("told");
    return x / 2;
}

int told_relation(int x)
{
    return told(x) <= 1073741823;
}

int boxed(int x)
{
    int *box = malloc(sizeof *box), y;
    *box = x;
    y = *box;
    free(box);
    return y;
}

int boxed_relation(int x)
{
    return boxed(x) == x;
}

long clocked(void)
{
    return (long)time(0);
}

int clocked_relation(void)
{
    return clocked() <= clocked();
}
