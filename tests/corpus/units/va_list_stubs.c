/* Stubs that take a `va_list`, whose type has no name in C, and stubs that fill a large buffer. */
#include <stdarg.h>
#include <stddef.h>

struct buffer {
    char *start;
    size_t size, used;
    char room[1024];
};

const char *format(const char *text, va_list arguments);
void begin(struct buffer *buffer);

int complain(const char *text, ...) {
    va_list arguments;
    const char *made;
    va_start(arguments, text);
    made = format(text, arguments);
    va_end(arguments);
    return made && made[0] == '!' ? 1 : 0;
}

int is_full(void) {
    struct buffer buffer;
    begin(&buffer);
    return buffer.used >= buffer.size;
}
