/* Assembly without instructions: barriers for the compiler, and values that it must not look through. */
int barrier(int *p, int x) {
    if (x > 3) {
        __asm__ volatile("" ::: "memory");
        if (*p == 4)
            return 1;
    }
    return 0;
}

int updated(int x) {
    __asm__("" : "+r"(x));
    if (x == 77)
        return 1;
    return 0;
}

int used(int x, const int *p) {
    __asm__ volatile("" : : "r"(x), "g"(p) : "cc");
    if (x == 78)
        return 1;
    return 0;
}

int held(int x) {
    int y;
    __asm__("" : "=r"(y) : "0"(x));
    if (y == 79)
        return 1;
    return 0;
}

int exchanged(int x, int y) {
    __asm__("" : "=r"(x), "=r"(y) : "0"(y), "1"(x));
    if (x == 80 && y == 81)
        return 1;
    return 0;
}

int waiting(int x) {
    __asm__ volatile("pause" ::: "memory");
    __asm__ volatile("nop");
    if (x == 82)
        return 1;
    return 0;
}
