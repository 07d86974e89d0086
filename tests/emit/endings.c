/* Ends of processes that a test makes for a call: what it queued is taken there, and no handler is inherited. */
#include <stdio.h>
#include <stdlib.h>

int rd(void);

int chk(void)
{
    int v = rd();
    if (v > 9)
        exit(1);
    return v;
}

int broken(int x)
{
    int *p = NULL;
    return x + *p;
}

/* Returns 0 where its end is reached. */
int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 3)
        return 2;
    puts("done");
}
