// memcpy between overlapping ranges.
#include <string.h>
int main(void) {
    char text[10] = "abcdef";
    memcpy(text + 1, text, 5); //~ memcpy: copy of 5 bytes between overlapping ranges
    return 0;
}
