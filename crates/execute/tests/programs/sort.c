// qsort and bsearch call back; glibc's qsort keeps equal elements in order.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
    int key;
    char name[12];
};

static int calls;

static int by_number(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    calls++;
    return (x > y) - (x < y);
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static int by_key(const void *a, const void *b) {
    return ((const struct record *)a)->key - ((const struct record *)b)->key;
}

int main(void) {
    int numbers[50], key = 21;
    const char *words[] = {"pear", "apple", "fig", "banana"};
    struct record records[9];
    for (int i = 0; i < 50; i++)
        numbers[i] = (i * 7919) % 31;
    qsort(numbers, 50, sizeof *numbers, by_number);
    for (int i = 0; i < 50; i++)
        printf("%d ", numbers[i]);
    printf("in %d comparisons\n", calls);
    qsort(words, 4, sizeof *words, by_text);
    for (int i = 0; i < 4; i++)
        printf("%s ", words[i]);
    for (int i = 0; i < 9; i++) {
        records[i].key = i % 3;
        sprintf(records[i].name, "n%d", i);
    }
    qsort(records, 9, sizeof *records, by_key);
    for (int i = 0; i < 9; i++)
        printf("%d%s ", records[i].key, records[i].name);
    calls = 0;
    int *found = bsearch(&key, numbers, 50, sizeof *numbers, by_number);
    printf("%d %d %ld\n", *found, calls, (long)(found - numbers));
    key = 99;
    printf("%d\n", bsearch(&key, numbers, 50, sizeof *numbers, by_number) == NULL);
    return 0;
}
