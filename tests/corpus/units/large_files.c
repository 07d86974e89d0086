/* Functions to which headers give another assembler name where files may be large: their stubs answer all the same. */
#define _LARGEFILE_SOURCE 1
#define _FILE_OFFSET_BITS 64
#include <stdio.h>

int readable(const char *name) {
    FILE *f = fopen(name, "r");
    if (f == NULL)
        return 0;
    fclose(f);
    return 1;
}

long long size_of(FILE *f) {
    if (fseeko(f, 0, SEEK_END) != 0)
        return -1;
    return ftello(f) > 100 ? 1 : 0;
}
