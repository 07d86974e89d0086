/* Command lines: `main`, and arrays of strings. */
#include <stdlib.h>
#include <string.h>

int options(int argc, const char *argv[]) {
    int verbose = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-v") == 0)
            verbose++;
        else if (argv[i][0] == '-')
            return -1;
        else
            return i;
    }
    return verbose > 1 ? 0 : argc;
}

int lookup(const char *const *names, const char *wanted) {
    for (int i = 0; names[i]; i++)
        if (!strcmp(names[i], wanted))
            return i;
    return -1;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return 2;
    if (strcmp(argv[1], "on") == 0)
        return 0;
    return atoi(argv[1]) == 12 ? 1 : 3;
}

/* A member of the same name. */
struct stage {
    int main, post;
};

int staged(const struct stage *stage) {
    return stage->main == 3 && stage->post > 1;
}
