// Bit-fields: reading, writing, stepping, packing, initialisers, values of assignments.
#include <stdio.h>
#include <string.h>

struct mixed { int a : 3; unsigned b : 5; long long c : 40; unsigned char d : 1; _Bool e : 1; unsigned f : 31; };
struct __attribute__((packed)) tight { unsigned char x : 3; unsigned long long y : 61; unsigned short z : 11; int w : 13; };
union overlay { struct { unsigned lo : 4, mid : 20, hi : 8; } parts; unsigned whole; };
struct gaps { unsigned a : 4; unsigned : 0; unsigned b : 4; unsigned : 3; unsigned c : 2; };
enum colour { RED, GREEN, BLUE = 7 };
struct with_enum { enum colour c : 4; signed char s : 4; };

static struct mixed table[2] = { { .a = -1, .b = 31, .c = -5 }, { 3, 4, 5, 1, 1, 77 } };

static void show(const void *object, size_t size) {
    const unsigned char *bytes = object;
    for (size_t i = 0; i < size; i++) printf("%02x", bytes[i]);
    puts("");
}

int main(void) {
    struct mixed m;
    memset(&m, 0, sizeof m);
    m.a = 5;
    int value = (m.b = 100);
    m.c = -123456789012LL;
    m.e = 17;
    m.f = 0xffffffffu;
    printf("%d %u %d %lld %d %d %u %zu\n", m.a, m.b, value, (long long)m.c, m.d, m.e, m.f, sizeof m);
    m.a++; ++m.b; m.c -= 3; m.d--; m.f <<= 3; m.a ^= 1;
    printf("%d %u %lld %d %u\n", m.a, m.b, (long long)m.c, m.d, m.f);
    show(&m, sizeof m);
    show(table, sizeof table);
    struct tight t = { 5, 0x1234567890abcdefULL, 2000, -3000 };
    printf("%u %llu %u %d %zu\n", t.x, (unsigned long long)t.y, t.z, t.w, sizeof t);
    t.y += 99; t.w = t.w * 2 + t.x;
    show(&t, sizeof t);
    union overlay o = { .whole = 0xdeadbeef };
    o.parts.mid = o.parts.hi;
    printf("%x %x\n", o.whole, o.parts.lo);
    struct gaps g = { 1, 2, 3 };
    show(&g, sizeof g);
    struct with_enum w = { BLUE, -8 };
    w.s--;
    printf("%d %d %d\n", w.c, w.s, w.c == BLUE);
    struct mixed *p = &table[1], copy = *p;
    copy.b = p->b + copy.a;
    printf("%d %d\n", copy.b, -p->b > 0);
    return 0;
}
