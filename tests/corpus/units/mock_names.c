/* Mocks whose parameters, tags and macros have names that tests use themselves; functions without a prototype. */
#include <stdlib.h>
#include <sys/stat.h>

#define free(p) wrong(p)
#define realloc(p, n) wrong(p)
#undef free
#undef realloc

extern int ask(int zero, int call, int further);
extern void give_up(const char *text, ...) __attribute__((noreturn));
extern int fetch();

int state;
#define WITH_STATE(f) (state = 1, f)

struct methods {
    int (*stat)(const char *name);
    int flags;
};

int asks(int x) {
    if (ask(x, 1, 2) > 2)
        return 1;
    return 0;
}

int is_large(const char *name) {
    struct stat about;
    if (stat(name, &about) < 0)
        return -1;
    return about.st_size > 1000 ? 1 : 0;
}

int has_methods(struct methods *methods, const char *name) {
    struct stat about;
    if (methods->flags == 3)
        return stat(name, &about);
    return 0;
}

int grow(int **to, size_t count) {
    if (count > 8)
        return 0;
    int *grown = realloc(*to, (count + 1) * sizeof **to);
    if (grown == NULL)
        return -1;
    grown[0] = 1;
    *to = grown;
    return 1;
}

int gives_up(int x) {
    if (x > 3)
        WITH_STATE(give_up)("%d", x);
    return x < 4 ? 1 : 0; //~ infeasible
}

int fetches(const char *name) {
    char *text = NULL;
    if (fetch(&text, name) < 0)
        return -1;
    if (text == NULL)
        return 0;
    return text[0] == 'x' ? 1 : 0;
}
