/* What is always inlined is a part of functions that decide nothing themselves: a wrapper fixes some of it. */
static inline __attribute__((always_inline)) int clamp(int value, int most, int is_signed) {
    if (value > most)
        return most;
    if (is_signed) //~ infeasible
        return value < -most ? -most : value; //~ infeasible
    return value < 0 ? 0 : value; //~ infeasible
}

int byte(int value) {
    return clamp(value, 255, 0);
}

int percentage_off(int value) {
    return clamp(value, 100, 1);
}

/* One that decides counts by itself. */
int magnitude(int value) {
    int within = clamp(value, 1000, 1);
    return within < 0 ? -within : within;
}
