/* Functions without a body that write behind variable arguments. */
#include <stdio.h>
#include <string.h>

int settings(int number, ...);
int tell(const char *form, ...);

int command(const char *text) {
    int value;
    if (!strncmp(text, "set ", 4) && sscanf(text + 4, "%d", &value) == 1)
        return value == 42 ? 2 : 3;
    return 0;
}

int pair(const char *text, int *sum) {
    int a = 0, b = 0;
    char word[8] = "";
    int found = sscanf(text, "%d %d %7s", &a, &b, word);
    if (found < 2)
        return -1;
    if (found == 3 && word[0] == '+' && word[1] == 0) {
        if (a == 1000 && b == -1000)
            return 1;
        *sum = 1;
    }
    return 0;
}

/* What comes after the number is not always a pointer: nothing is known of what is behind it. */
int mixed(int number) {
    int value = 0;
    if (number == 1)
        return settings(1, 7);
    settings(2, &value);
    if (value == 5) //~? unknown
        return 1;
    return 0;
}

int told(int number) {
    int local;
    tell("%p", &local);
    return number > 3;
}
