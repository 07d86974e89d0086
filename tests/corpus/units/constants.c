/* Constants: what leads to them must not be written, and what is a string must be one even where nothing is read. */
#include <stddef.h>
#include <string.h>

static const int none = 0;

static int *slot(int *values, int count, int index) {
    return 0 <= index && index < count ? &values[index] : (int *)&none;
}

int set(int *values, int count, int index) {
    *slot(values, count, index) = 7;
    return index == 1 ? 1 : 0;
}

int starts_plain(const char *text, const char *marks) {
    return text[strspn(text, marks)] == '.' ? 1 : 0;
}

int is_tagged(const char *tag) {
    return memcmp(tag, "clew", 4) == 0 ? 1 : 0;
}

struct reading {
    const unsigned short kind;
    int value;
};
static struct reading last = {3, 4};

int is_last(int kind) {
    return last.kind == kind && last.value == 9 ? 1 : 0;
}
