/* Functions without a body: what they return and write are inputs; those that do not return stop the test. */
#include <stdio.h>

struct point {
    int x, y;
};

int sensor(void);
struct point where(int k);
int parse(const char *text, int *out, char *rest);
char *name_of(int k);
void log_it(int);
void die(const char *message) __attribute__((noreturn));
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void reach_error(void);
extern int limit;

int scalars(int a) {
    if (sensor() > 3) {
        log_it(a);
        return 1;
    }
    return sensor() == 7 ? 2 : 3;
}

int aggregates(int a) {
    struct point p = where(a);
    if (p.x == p.y)
        return 1;
    return 0;
}

int outputs(void) {
    int value;
    char rest[10];
    if (parse("abc", &value, rest) && value == 17 && rest[3] == 'x')
        return 1;
    return 0;
}

int pointers(void) {
    char *name = name_of(2);
    if (name == NULL)
        die("no name");
    if (name[0] == 'a' && name[1] == 'b')
        return 1;
    return 0;
}

int nondeterminism(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 10);
    if (x < 12)
        return 1;
    if (x == 99)
        reach_error();
    return 2;
}

int library(void) {
    printf("this has no effect on the path\n");
    if (fputs("x", stderr) < 0)
        return 1;
    if (getchar() == 'x')
        return 2;
    return limit == 5;
}
