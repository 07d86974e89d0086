// string.h and strings.h.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int number) { return (number > 0) - (number < 0); }

static void compare(void) {
    printf("%d %d %d %d\n", sign(strcmp("a", "b")), sign(strcmp("b", "a")), strcmp("x", "x"),
           sign(strncmp("abcd", "abce", 3)));
    printf("%d %d\n", sign(strcasecmp("HeLLo", "hEllO")), sign(strncasecmp("ABCx", "abcy", 4)));
    printf("%d %d\n", sign(memcmp("abc", "abd", 3)), memcmp("abc", "abd", 2));
    printf("%d %d %d %d\n", sign(strverscmp("a1", "a2")), sign(strverscmp("a10", "a9")), sign(strverscmp("a01", "a1")),
           sign(strverscmp("x", "x")));
}

static void copy(void) {
    char text[64], filled[64];
    strcpy(text, "one");
    strcat(text, "-two");
    strncat(text, "-three", 3);
    puts(text);
    memset(filled, '#', sizeof filled);
    strncpy(filled, "hi", 5);
    for (int i = 0; i < 8; i++)
        printf("%d ", filled[i]);
    memcpy(text, "0123456789", 11);
    memmove(text + 2, text, 5);
    printf("%s %ld\n", text, (long)(stpcpy(text, "stp") - text));
    char *all = strdup("dup"), *some = strndup("duplicate", 4);
    printf("%s %s\n", all, some);
    free(all);
    free(some);
}

static void search(void) {
    printf("%zu %zu\n", strlen("hello"), strnlen("hello", 3));
    printf("%s %s %s\n", strchr("hello", 'l'), strrchr("hello", 'l'), strstr("hello world", "o w"));
    printf("%d %d\n", strchr("hello", 'z') == NULL, strstr("abc", "zz") == NULL);
    printf("%zu %zu %s\n", strspn("aabbcc", "ab"), strcspn("hello,world", ","), strpbrk("key=value", "=:"));
    printf("%s %d %s\n", (char *)memchr("hello", 'l', 5), memchr("hello", 'z', 5) == NULL,
           (char *)memmem("hello world", 11, "wor", 3));
    printf("%d %d %s\n", ffs(8), ffs(0), strerror(ENOENT));
}

static void split(void) {
    char commas[] = "a,b;;c d", colons[] = "x:y::z", spaces[] = "1 2 3";
    for (char *token = strtok(commas, ",; "); token; token = strtok(NULL, ",; "))
        printf("<%s>", token);
    char *rest = colons, *field, *state;
    while ((field = strsep(&rest, ":")))
        printf("{%s}", field);
    for (char *token = strtok_r(spaces, " ", &state); token; token = strtok_r(NULL, " ", &state))
        printf("(%s)", token);
    puts("");
}

int main(void) {
    compare();
    copy();
    search();
    split();
    return 0;
}
