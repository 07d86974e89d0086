/* Assembly of x86 that computes: swapped bytes, rotations, products of double width, atomic instructions. */
#include <stdint.h>

static inline uint32_t swapped(uint32_t x)
{
    __asm__("bswapl %0" : "=r"(x) : "0"(x));
    return x;
}

static inline uint64_t swapped_long(uint64_t x)
{
    __asm__("bswap %0" : "+r"(x));
    return x;
}

static inline uint32_t rotated(uint32_t word, int by)
{
    __asm__("roll %%cl,%0" : "=r"(word) : "0"(word), "c"(by));
    return word;
}

static inline uint32_t rotated_right(uint32_t word)
{
    __asm__("rorl %2, %0" : "=r"(word) : "0"(word), "I"(8));
    return word;
}

static inline uint16_t turned(uint16_t half)
{
    __asm__("rorw $8, %0" : "+r"(half));
    return half;
}

static inline uint64_t upper(uint64_t x, uint64_t y)
{
    uint64_t low, high;
    __asm__("mulq %3" : "=a"(low), "=d"(high) : "a"(x), "rm"(y) : "cc");
    return high + (low == 3);
}

static inline int fetch_and_add(int *at, int by)
{
    __asm__ volatile("lock; xaddl %0, %1" : "+r"(by), "+m"(*at) : : "memory");
    return by;
}

static inline unsigned exchanged_if(unsigned *at, unsigned old, unsigned value)
{
    unsigned before;
    __asm__ volatile("lock cmpxchgl %2,%1" : "=a"(before), "+m"(*at) : "r"(value), "0"(old) : "memory");
    return before;
}

int is_magic(uint32_t word)
{
    return swapped(word) == 0x7f454c46 ? 1 : 0;
}

int is_long_magic(uint64_t word)
{
    return swapped_long(word) == 0x0102030405060708 ? 1 : 0;
}

int is_turned(uint32_t word, int by)
{
    if (by > 0 && by < 40 && rotated(word, by) == 0x80000001)
        return rotated_right(word) == 0xff000000 ? 2 : 1; //~ infeasible
    return 0;
}

int is_half(uint16_t half)
{
    return turned(half) == 0x1234 ? 1 : 0;
}

int is_large(uint64_t x)
{
    return upper(x, 1ull << 32) == 77 ? 1 : 0;
}

int counts(int *counter)
{
    if (fetch_and_add(counter, 3) == 4)
        return *counter == 7 ? 1 : 2; //~ infeasible
    return 0;
}

int locks(unsigned *lock)
{
    if (exchanged_if(lock, 0, 5) == 0)
        return *lock == 5 ? 1 : 2; //~ infeasible
    return *lock == 0 ? 3 : 4; //~ infeasible
}

void store_swapped(uint32_t x, uint8_t *to)
{
    __asm__ volatile("bswapl %0\n\tmovl %0,(%1)\n\tbswapl %0" : : "r"(x), "r"(to) : "memory");
}

int stores(uint32_t x)
{
    uint8_t bytes[4] = {0};
    store_swapped(x, bytes);
    return bytes[0] == 0x12 && bytes[3] == 0x78 ? 1 : 0;
}
