/* Relations at work on small libraries, each with a seeded bug: in C, as `f_relation`, and by name. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

static const char digits[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int base64_encode(const unsigned char *in, int n, char *out)
{
    int i, at = 0;
    for (i = 0; i < n; i += 3) {
        unsigned v = (unsigned)in[i] << 16;
        if (i + 1 < n)
            v |= (unsigned)in[i + 1] << 8;
        if (i + 2 < n)
            v |= in[i + 2];
        out[at++] = digits[v >> 18];
        out[at++] = digits[v >> 12 & 63];
        out[at++] = i + 1 < n ? digits[v >> 6 & 63] : '=';
        out[at++] = i + 2 < n ? digits[v & 63] : '=';
    }
    return at;
}

static int digit(char c, int bug)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : bug ? 62 : 63;
}

static int decode(const char *in, int n, unsigned char *out, int bug)
{
    int i, at = 0;
    for (i = 0; i + 3 < n; i += 4) {
        unsigned v = (unsigned)digit(in[i], bug) << 18 | (unsigned)digit(in[i + 1], bug) << 12;
        out[at++] = (unsigned char)(v >> 16);
        if (in[i + 2] == '=')
            break;
        v |= (unsigned)digit(in[i + 2], bug) << 6;
        out[at++] = (unsigned char)(v >> 8);
        if (in[i + 3] == '=')
            break;
        v |= (unsigned)digit(in[i + 3], bug);
        out[at++] = (unsigned char)v;
    }
    return at;
}

int base64_decode(const char *in, int n, unsigned char *out)
{
    return decode(in, n, out, 0);
}

int base64_decode_1(const char *in, int n, unsigned char *out)
{
    return decode(in, n, out, 1);
}

/*@ requires 0 <= n <= 4 && \valid_read(in + (0 .. n - 1)); */
void base64_relation(const unsigned char *in, int n)
{
    char text[8];
    unsigned char back[6];
    int i, length = base64_encode(in, n, text);
    assert(base64_decode(text, length, back) == n);
    for (i = 0; i < n; i++)
        assert(back[i] == in[i]);
}

/*@ requires 0 <= n <= 4 && \valid_read(in + (0 .. n - 1)); */
void base64_1_relation(const unsigned char *in, int n)
{
    char text[8];
    unsigned char back[6];
    int i, length = base64_encode(in, n, text);
    assert(base64_decode_1(text, length, back) == n);
    for (i = 0; i < n; i++)
        assert(back[i] == in[i]);
}

int varint_put(uint32_t x, unsigned char *out)
{
    int n = 0;
    while (x >= 128) {
        out[n++] = (unsigned char)(x | 128);
        x >>= 7;
    }
    out[n++] = (unsigned char)x;
    return n;
}

uint32_t varint_get(const unsigned char *in, int n)
{
    uint32_t x = 0;
    int i;
    for (i = 0; i < n; i++)
        x |= (uint32_t)(in[i] & 127) << 7 * i;
    return x;
}

/* The last byte is lost where there are five. */
uint32_t varint_get_1(const unsigned char *in, int n)
{
    uint32_t x = 0;
    int i;
    for (i = 0; i < n && i < 4; i++)
        x |= (uint32_t)(in[i] & 127) << 7 * i;
    return x;
}

int varint_relation(uint32_t x)
{
    unsigned char bytes[5];
    return varint_get(bytes, varint_put(x, bytes)) == x;
}

int varint_1_relation(uint32_t x)
{
    unsigned char bytes[5];
    return varint_get_1(bytes, varint_put(x, bytes)) == x;
}

int utf8_put(uint32_t c, unsigned char *out)
{
    if (c < 0x80) {
        out[0] = (unsigned char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (unsigned char)(0xc0 | c >> 6);
        out[1] = (unsigned char)(0x80 | (c & 63));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (unsigned char)(0xe0 | c >> 12);
        out[1] = (unsigned char)(0x80 | (c >> 6 & 63));
        out[2] = (unsigned char)(0x80 | (c & 63));
        return 3;
    }
    out[0] = (unsigned char)(0xf0 | c >> 18);
    out[1] = (unsigned char)(0x80 | (c >> 12 & 63));
    out[2] = (unsigned char)(0x80 | (c >> 6 & 63));
    out[3] = (unsigned char)(0x80 | (c & 63));
    return 4;
}

static uint32_t utf8(const unsigned char *in, uint32_t mask)
{
    if (in[0] < 0x80)
        return in[0];
    if (in[0] < 0xe0)
        return (in[0] & 31u) << 6 | (in[1] & 63u);
    if (in[0] < 0xf0)
        return (in[0] & mask) << 12 | (in[1] & 63u) << 6 | (in[2] & 63u);
    return (in[0] & 7u) << 18 | (in[1] & 63u) << 12 | (in[2] & 63u) << 6 | (in[3] & 63u);
}

/*@ requires c <= 0x10ffff; */
int utf8_relation(uint32_t c)
{
    unsigned char bytes[4] = { 0 };
    utf8_put(c, bytes);
    return utf8(bytes, 15) == c;
}

/*@ requires c <= 0x10ffff; */
int utf8_1_relation(uint32_t c)
{
    unsigned char bytes[4] = { 0 };
    utf8_put(c, bytes);
    return utf8(bytes, 7) == c;
}

/* A CRC of 8 bits, bit by bit, and by a table of 16 entries. */
static const unsigned char table[16] = { 0x00, 0x07, 0x0e, 0x09, 0x1c, 0x1b, 0x12, 0x15,
                                         0x38, 0x3f, 0x36, 0x31, 0x24, 0x23, 0x2a, 0x2d };
static const unsigned char table_1[16] = { 0x00, 0x07, 0x0e, 0x09, 0x1c, 0x1b, 0x12, 0x15,
                                           0x38, 0x3f, 0x36, 0x31, 0x24, 0x23, 0x2b, 0x2d };

unsigned char crc(const unsigned char *in, int n)
{
    unsigned char crc = 0;
    int i, bit;
    for (i = 0; i < n; i++) {
        crc ^= in[i];
        for (bit = 0; bit < 8; bit++)
            crc = (unsigned char)(crc & 0x80 ? crc << 1 ^ 0x07 : crc << 1);
    }
    return crc;
}

unsigned char crc_fast(const unsigned char *in, int n)
{
    unsigned char crc = 0;
    int i;
    for (i = 0; i < n; i++) {
        crc ^= in[i];
        crc = (unsigned char)(crc << 4 ^ table[crc >> 4]);
        crc = (unsigned char)(crc << 4 ^ table[crc >> 4]);
    }
    return crc;
}

unsigned char crc_fast_1(const unsigned char *in, int n)
{
    unsigned char crc = 0;
    int i;
    for (i = 0; i < n; i++) {
        crc ^= in[i];
        crc = (unsigned char)(crc << 4 ^ table[crc >> 4]);
        crc = (unsigned char)(crc << 4 ^ table_1[crc >> 4]);
    }
    return crc;
}

/* Bytes that overlap, moved at once and one by one. */
void move(unsigned char *to, const unsigned char *from, int n)
{
    int i;
    if (to < from)
        for (i = 0; i < n; i++)
            to[i] = from[i];
    else
        for (i = n; i > 0; i--)
            to[i - 1] = from[i - 1];
}

void move_1(unsigned char *to, const unsigned char *from, int n)
{
    int i;
    for (i = 0; i < n; i++)
        to[i] = from[i];
}

static int moved(const unsigned char *v, int to, int from, int n, int bug)
{
    unsigned char a[6], b[6];
    int i;
    for (i = 0; i < 6; i++)
        a[i] = b[i] = v[i];
    if (bug)
        move_1(a + to, a + from, n);
    else
        move(a + to, a + from, n);
    for (i = 0; i < n; i++)
        b[to + i] = v[from + i];
    for (i = 0; i < 6; i++)
        if (a[i] != b[i])
            return 0;
    return 1;
}

/*@ requires \valid_read(v + (0 .. 5)) && 0 <= to <= 3 && 0 <= from <= 3 && 0 <= n <= 3; */
int move_relation(const unsigned char *v, int to, int from, int n)
{
    return moved(v, to, from, n, 0);
}

/*@ requires \valid_read(v + (0 .. 5)) && 0 <= to <= 3 && 0 <= from <= 3 && 0 <= n <= 3; */
int move_1_relation(const unsigned char *v, int to, int from, int n)
{
    return moved(v, to, from, n, 1);
}

/* Numbers. */
int clamp(int x)
{
    return x < -100 ? -100 : x > 100 ? 100 : x;
}

int clamp_1(int x)
{
    return x < -100 ? -100 : x > 100 ? 99 : x;
}

unsigned swap16(unsigned x)
{
    return x << 16 | x >> 16;
}

unsigned gray(unsigned x)
{
    return x ^ x >> 1;
}

unsigned ungray(unsigned x)
{
    x ^= x >> 16;
    x ^= x >> 8;
    x ^= x >> 4;
    x ^= x >> 2;
    return x ^ x >> 1;
}

int half(int x)
{
    return x / 2;
}

int middle(int a, int b)
{
    return a / 2 + b / 2;
}

int counted(int x)
{
    static int calls;
    return x + ++calls;
}

int forever(int x)
{
    while (x > 0)
        x = x % 7 + 1;
    return x;
}
