/* errno: set by the unit, by the library and by functions without a body. */
#include <errno.h>
#include <stdlib.h>

int device_read(int handle, char *buffer, int size);

int set(int value, int *out) {
    if (out == NULL) {
        errno = EINVAL;
        return -1;
    }
    if (value < 0) {
        errno = ERANGE;
        return -1;
    }
    *out = value;
    return 0;
}

int was(void) {
    return errno == ENOENT ? 1 : 0;
}

int parse(const char *text, long *out) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text)
        return -1;
    if (*end != '\0')
        return -3;
    *out = value;
    return 0;
}

int read_all(int handle, char *buffer, int size) {
    int got = 0, tries = 0;
    while (got < size && tries++ < 3) {
        int n = device_read(handle, buffer + got, size - got);
        if (n == 0)
            break;
        if (n < 0) {
            if (errno == EINTR)
                continue;
            return -1;
        }
        if (n > size - got)
            return -2;
        got += n;
    }
    return got;
}
