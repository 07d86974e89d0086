/* Models of the functions of string.h on bytes, and of the rarer ones on the heap. */

//= memchr
void *memchr(const void *block, int wanted, size_t n) {
    const unsigned char *bytes = block;
    for (; n > 0; n--, bytes++)
        if (*bytes == (unsigned char)wanted)
            return (void *)bytes;
    return 0;
}

//= memrchr
void *memrchr(const void *block, int wanted, size_t n) {
    const unsigned char *bytes = block;
    while (n-- > 0)
        if (bytes[n] == (unsigned char)wanted)
            return (void *)(bytes + n);
    return 0;
}

//= rawmemchr
void *rawmemchr(const void *block, int wanted) {
    const unsigned char *bytes = block;
    while (*bytes != (unsigned char)wanted)
        bytes++;
    return (void *)bytes;
}

//= memcmp
int memcmp(const void *a, const void *b, size_t n) {
    const unsigned char *x = a, *y = b;
    for (; n > 0; n--, x++, y++)
        if (*x != *y) {
            /* All n bytes must be there, not only those up to a difference. */
            (void)x[n - 1], (void)y[n - 1];
            return *x - *y;
        }
    return 0;
}

//= memccpy
void *memccpy(void *to, const void *from, int last, size_t n) {
    unsigned char *target = to;
    const unsigned char *source = from;
    for (; n > 0; n--)
        if ((*target++ = *source++) == (unsigned char)last)
            return target;
    return 0;
}

//= mempcpy
void *mempcpy(void *to, const void *from, size_t n) {
    return (char *)memcpy(to, from, n) + n;
}

//= bcopy
void bcopy(const void *from, void *to, size_t n) {
    memmove(to, from, n);
}

//= bzero
void bzero(void *block, size_t n) {
    memset(block, 0, n);
}

//= memmem
void *memmem(const void *block, size_t n, const void *wanted, size_t length) {
    const unsigned char *bytes = block, *sought = wanted;
    size_t i, j;
    for (i = 0; i + length <= n; i++) {
        for (j = 0; j < length && bytes[i + j] == sought[j]; j++)
            ;
        if (j == length)
            return (void *)(bytes + i);
    }
    return 0;
}

//= swab
void swab(const void *from, void *to, long n) {
    const char *source = from;
    char *target = to;
    for (; n > 1; n -= 2, source += 2, target += 2) {
        char first = source[0], second = source[1];
        target[0] = second;
        target[1] = first;
    }
}

//= reallocarray
void *reallocarray(void *old, size_t count, size_t size) {
    if (size && count > (size_t)-1 / size) {
        *__errno_location() = 12;
        return 0;
    }
    return realloc(old, count * size);
}
