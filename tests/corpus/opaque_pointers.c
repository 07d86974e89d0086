/* Pointers that are compared with null and never followed: the input still has to give them somewhere to lead. */
struct opaque;

int compared(char *to, unsigned *length, int level) {
    if (to == 0 || length == 0 || level < 1)
        return -2;
    return level;
}

int incomplete(struct opaque *state, void *data) {
    if (!state)
        return 1;
    if (data)
        return 2;
    return 3;
}

int callback(int (*compare)(int, int), void (*other)(void)) {
    if (compare && !other)
        return 1;
    return 0;
}
