// A library function that writes too much.
#include <string.h>
int main(void) {
    char text[3];
    strcpy(text, "hello"); //~ strcpy: out of bounds: 6 bytes at offset 0 of an object of 3 bytes (variable `text` of `main`)
    return 0;
}
