// ctype.h, by the tables its macros use.
#include <ctype.h>
#include <stdio.h>

int main(void) {
    for (int code = -1; code < 256; code++) {
        unsigned classes = 0;
        classes |= !!isalpha(code) | !!isdigit(code) << 1 | !!isspace(code) << 2 | !!isupper(code) << 3;
        classes |= !!islower(code) << 4 | !!ispunct(code) << 5 | !!isprint(code) << 6 | !!iscntrl(code) << 7;
        classes |= !!isxdigit(code) << 8 | !!isgraph(code) << 9 | !!isblank(code) << 10 | !!isalnum(code) << 11;
        printf("%d %x %d %d\n", code, classes, toupper(code), tolower(code));
    }
    printf("%d %d\n", isalpha('a'), (isalpha)('Z'));
    return 0;
}
