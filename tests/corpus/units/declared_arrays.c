/* Functions whose parameters are declared as arrays, and those that tests need themselves. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

void digest(unsigned char out[20], const int key[static 4]);
int table(int rows[2][3], char *names[4], int n, const int counts[n]);


int first_byte(int n) {
    unsigned char out[20];
    int key[4] = {n};
    digest(out, key);
    return out[0] == 7;
}

int piped(int n) {
    int ends[2];
    if (pipe(ends))
        return -1;
    return ends[0] > n;
}

int larger(int n) {
    int rows[2][3] = {{n}};
    char *names[4] = {0};
    return table(rows, names, 3, rows[0]) > n;
}

/* The program has an `errno` of its own. */
static int *place;
#undef errno
#define errno (*place)

int remembers(int n) {
    place = __errno_location();
    errno = n;
    return *__errno_location() > 3;
}

/* Nobody is warned of it in its tests. */
int old(int n) __attribute__((deprecated));

int old(int n) {
    return n > 2;
}
