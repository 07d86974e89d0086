/* Addresses as numbers: where an object lies modulo 16 is part of the input. */
#include <stdint.h>

int aligned(const char *s) {
    if ((uintptr_t)s & 7)
        return 1;
    return 0;
}

int together(const char *a, const char *b) {
    if (((uintptr_t)a & 3) != ((uintptr_t)b & 3))
        return 1;
    return 0;
}

int rounded(char *s) {
    char *word = (char *)((uintptr_t)s & ~(uintptr_t)7);
    if (word == s)
        return 1;
    return 0;
}

int of_words(const int *a) {
    if ((uintptr_t)a & 3)
        return 1;
    if ((uintptr_t)a & 4)
        return 2;
    return 0;
}

/* The second parameter is looked behind first. */
int overlap(char *to, const char *from, unsigned n) {
    if (from < to && to < from + n)
        return 1;
    return 0;
}
