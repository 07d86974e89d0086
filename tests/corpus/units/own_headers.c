/* The C library by declarations of the program's own. */
void *calloc(unsigned long number, unsigned long size);
void free(void *object);
double sqrt(double x);

__attribute__ ((visibility ("hidden"))) int elsewhere(int n);

int *table(unsigned long number) {
    int *entries = calloc(number, sizeof *entries);
    if (!entries)
        return 0;
    if (number == 4)
        entries[3] = 1;
    return entries;
}

int root(double x) {
    return sqrt(x) > 3.0;
}

int far(int n) {
    return n > 3 ? elsewhere(n) : 0;
}
