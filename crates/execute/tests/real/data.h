// 100 kB that compress, and a hash of what comes out.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char source[100000], packed[120000], unpacked[100000];

static void make(void) {
    unsigned state = 12345;
    for (unsigned i = 0; i < sizeof source; i++) {
        state = state * 1103515245u + 12345u;
        source[i] = i % 97 < 60 ? "the quick brown fox jumps over the lazy dog "[i % 44] : state >> 24 & 63;
    }
}

static unsigned hash(const unsigned char *bytes, unsigned long count) {
    unsigned hash = 2166136261u;
    while (count--)
        hash = (hash ^ *bytes++) * 16777619u;
    return hash;
}
