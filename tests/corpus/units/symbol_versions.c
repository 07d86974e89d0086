/* Symbols with versions, as libraries have them. */
int twice_since_2(int x) {
    return x > 3 && x < 1000 ? 2 * x : x;
}
__asm__(".symver twice_since_2, twice@@LIB_2.0");

int twice_before(int x) {
    if (x > 1000)
        return -1;
    return x;
}
extern __typeof__(twice_before) twice_once __attribute__((__symver__("twice" "@" "LIB_1.0"), __alias__("twice_before")));
