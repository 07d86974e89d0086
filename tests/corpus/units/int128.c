/* 128-bit integers as parameters, results and in between. */
typedef __int128 int128;
typedef unsigned __int128 uint128;

unsigned long high_product(unsigned long a, unsigned long b) {
    uint128 p = (uint128)a * b;
    unsigned long high = (unsigned long)(p >> 64);
    if (high == 0)
        return 0;
    return high > 0xffff ? 2 : 1;
}

int128 absolute(int128 x) {
    return x < 0 ? -x : x;
}

int is_big(uint128 x) {
    uint128 limit = (uint128)1 << 100;
    if (x == limit)
        return 1;
    return x > limit ? 2 : 0;
}

struct wide { uint128 value; int tag; };

int tagged(const struct wide *w) {
    return w->tag == 3 && (w->value & 0xff) == 0x55 && w->value >> 120 == 0xaa;
}
