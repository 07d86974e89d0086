/* Tables that are read at places the input chooses. */
#include <ctype.h>
#include <string.h>

static unsigned remainders[256];
static int ready;

static void prepare(void) {
    for (unsigned i = 0; i < 256; i++) {
        unsigned c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
        remainders[i] = c;
    }
    ready = 1;
}

/* A table that the program computes, or that is input. */
int checksum(const unsigned char *frame, unsigned n) {
    unsigned crc = ~0u;
    if (n < 5 || n > 6)
        return 0;
    if (!ready)
        prepare();
    for (unsigned i = 0; i < n - 4; i++)
        crc = remainders[(crc ^ frame[i]) & 0xff] ^ crc >> 8;
    crc = ~crc;
    return frame[n - 4] == (crc & 0xff) && frame[n - 3] == (crc >> 8 & 0xff);
}

/* Character classes, behind a pointer of the library. */
int keyword(const char *s) {
    while (isspace((unsigned char)*s))
        s++;
    if (strncmp(s, "null", 4) == 0)
        return 1;
    if (strncmp(s, "true", 4) == 0)
        return 2;
    return isxdigit((unsigned char)s[4]) && s[4] != 'a';
}

static const double limits[] = {0.5, 2.25, 1e300, -7.0};
static const short steps[3][4] = {{1, 0, 2, 0}, {2, 2, 0, 1}, {0, 1, 1, 2}};

/* Constants of several kinds; some places were never written. */
int machine(const unsigned char *events, unsigned which) {
    int state = 0, seen[4];
    seen[1] = 3;
    seen[2] = 4;
    for (int i = 0; i < 3; i++)
        state = steps[state][events[i] & 3];
    if (state == 2 && limits[which & 3] > 2.0)
        return seen[1 + (which & 1)];
    return limits[which & 3] < 0.0;
}
