// exit runs what atexit asked for, last first.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static void first(void) { puts("first"); }
static void last(void) { puts("last"); }

int main(void) {
    atexit(last);
    atexit(first);
    assert(1 == 1);
    exit(5);
}
