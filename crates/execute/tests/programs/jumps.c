// setjmp and longjmp, also out of a comparison function.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf place;

static void deep(int levels) {
    if (levels == 0)
        longjmp(place, 7);
    deep(levels - 1);
}

static int escape(const void *a, const void *b) {
    longjmp(place, 0);
    return 0;
}

int main(void) {
    int numbers[] = {3, 1, 2};
    volatile int count = 1;
    int result = setjmp(place);
    if (result == 0) {
        count = 2;
        deep(100);
    }
    printf("%d %d\n", result, count);
    result = setjmp(place);
    if (result == 0)
        qsort(numbers, 3, sizeof *numbers, escape);
    printf("%d\n", result);
    int results[2] = {0, 0};
    volatile int index = 1;
    results[index] = setjmp(place);
    for (int i = 0; i < 5; i++)
        count += i * index;
    if (results[1] == 0)
        longjmp(place, 9);
    printf("%d %d %d\n", results[0], results[1], count);
    for (volatile int i = 0; i < 3;) {
        if (setjmp(place) == 0) {
            i++;
            longjmp(place, 1);
        }
        printf("%d ", i);
    }
    return 0;
}
