/* Standard input and output, time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
int count_lines(FILE *f) {
    int c, n = 0;
    while ((c = fgetc(f)) != EOF)
        if (c == '\n')
            n++;
    return ferror(f) ? -1 : n;
}
int read_config(const char *path, int *out) {
    char line[32];
    FILE *f = fopen(path, "r");
    if (!f)
        return -1;
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#')
            continue;
        if (strncmp(line, "port=", 5) == 0) {
            *out = atoi(line + 5);
            fclose(f);
            return 0;
        }
    }
    fclose(f);
    return 1;
}
int greet(char *out, size_t n, const char *name) {
    int k = snprintf(out, n, "hi %s", name);
    if (k < 0 || (size_t)k >= n) //~? unknown
        return -1;
    return k;
}
int is_weekend(time_t when) {
    struct tm *t = gmtime(&when);
    if (!t)
        return -1;
    return t->tm_wday == 0 || t->tm_wday == 6;
}
int expired(time_t since, int limit) {
    time_t now = time(NULL);
    if (now == (time_t)-1)
        return -1;
    return difftime(now, since) > limit ? 1 : 0;
}
int parse_pair(const char *s, int *a, int *b) {
    if (sscanf(s, "%d,%d", a, b) != 2)
        return -1;
    return *a < *b ? 1 : 0;
}

/* What the library promises: a byte or the end, and no more than was asked for. */
int digit(void) {
    int c = getchar();
    if (c > 255) //~ infeasible
        return 2;
    if (c < -1) //~ infeasible
        return 3;
    return c >= '0' && c <= '9';
}

int header(FILE *file) {
    unsigned char bytes[4];
    size_t got = fread(bytes, 1, sizeof bytes, file);
    if (got > 4) //~ infeasible
        return -2;
    if (got < 4)
        return -1;
    return bytes[0] == 0x7f && rand() >= 0; //~ infeasible
}

/* What is printed need not be text. */
const char *describe(int code);

int told(int code) {
    printf("%d: %s\n", code, describe(code));
    return code > 3 ? 1 : 0;
}

/* A number of the C library. */
extern int optind;

int remaining(int argc) {
    return argc - optind > 2 ? 1 : 0;
}

int at_end(int argc) {
    if (optind >= argc)
        return -1;
    return optind;
}
