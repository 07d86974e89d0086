/* The C compiler's own answer to every operator: one request per line in, one answer per line out.
 *
 *   apply OP TYPE MODE A B C      operands and answer are memory images in hexadecimal
 *   print TYPE FORMAT A           the text printf gives
 *   parse TYPE TEXT               the memory image strtod gives
 *
 * MODE is n, u, d or z: rounding to nearest, up, down, to zero. */
#define _GNU_SOURCE
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 word;
typedef __int128 i128;
typedef unsigned __int128 u128;
typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;
typedef long double f80;
typedef _Float128 f128;

/* Bytes that mean something: an extended float has padding. */
enum {
    size_i8 = 1, size_u8 = 1, size_i16 = 2, size_u16 = 2, size_i32 = 4, size_u32 = 4, size_i64 = 8, size_u64 = 8,
    size_i128 = 16, size_u128 = 16, size_f32 = 4, size_f64 = 8, size_f80 = 10, size_f128 = 16
};

#define IS(NAME) (!strcmp(op, NAME))
#define LOAD(T, NAME, IMAGE) \
    T NAME = 0; \
    memcpy(&NAME, &IMAGE, size_##T)
#define STORE(T, VALUE) \
    do { \
        T result = (VALUE); \
        word image = 0; \
        memcpy(&image, &result, size_##T); \
        return image; \
    } while (0)

static word unknown(const char *op) {
    fprintf(stderr, "unknown operator %s\n", op);
    exit(1);
}

/* Arithmetic that wraps is done in the widest unsigned type, which no promotion makes signed. */
#define INTEGER(S, U) \
    static word apply_##U(const char *op, word x, word y) { \
        LOAD(S, a, x); \
        LOAD(S, b, y); \
        LOAD(U, c, x); \
        LOAD(U, d, y); \
        S ignored; \
        U also_ignored; \
        if (IS("add")) STORE(U, (U)(x + y)); \
        if (IS("sub")) STORE(U, (U)(x - y)); \
        if (IS("mul")) STORE(U, (U)(x * y)); \
        if (IS("udiv")) STORE(U, c / d); \
        if (IS("urem")) STORE(U, c % d); \
        if (IS("sdiv")) STORE(S, a / b); \
        if (IS("srem")) STORE(S, a % b); \
        if (IS("and")) STORE(U, c & d); \
        if (IS("or")) STORE(U, c | d); \
        if (IS("xor")) STORE(U, c ^ d); \
        if (IS("shl")) STORE(U, (U)(x << d)); \
        if (IS("lshr")) STORE(U, c >> d); \
        if (IS("ashr")) STORE(S, a >> d); \
        if (IS("eq")) return a == b; \
        if (IS("ne")) return a != b; \
        if (IS("ult")) return c < d; \
        if (IS("ule")) return c <= d; \
        if (IS("slt")) return a < b; \
        if (IS("sle")) return a <= b; \
        if (IS("signed_add_overflows")) return __builtin_add_overflow(a, b, &ignored); \
        if (IS("signed_sub_overflows")) return __builtin_sub_overflow(a, b, &ignored); \
        if (IS("signed_mul_overflows")) return __builtin_mul_overflow(a, b, &ignored); \
        if (IS("unsigned_add_overflows")) return __builtin_add_overflow(c, d, &also_ignored); \
        if (IS("unsigned_sub_overflows")) return __builtin_sub_overflow(c, d, &also_ignored); \
        if (IS("unsigned_mul_overflows")) return __builtin_mul_overflow(c, d, &also_ignored); \
        if (IS("signed_to_f32")) STORE(f32, a); \
        if (IS("signed_to_f64")) STORE(f64, a); \
        if (IS("signed_to_f80")) STORE(f80, a); \
        if (IS("signed_to_f128")) STORE(f128, a); \
        if (IS("unsigned_to_f32")) STORE(f32, c); \
        if (IS("unsigned_to_f64")) STORE(f64, c); \
        if (IS("unsigned_to_f80")) STORE(f80, c); \
        if (IS("unsigned_to_f128")) STORE(f128, c); \
        if (IS("sext_i32")) STORE(i32, a); \
        if (IS("sext_i128")) STORE(i128, a); \
        if (IS("zext_i128")) STORE(u128, c); \
        if (IS("trunc_i8")) STORE(u8, c); \
        return unknown(op); \
    }

INTEGER(i8, u8)
INTEGER(i16, u16)
INTEGER(i32, u32)
INTEGER(i64, u64)
INTEGER(i128, u128)

#define FLOAT(T, SUFFIX) \
    static word apply_##T(const char *op, word x, word y, word z) { \
        LOAD(T, a, x); \
        LOAD(T, b, y); \
        LOAD(T, c, z); \
        if (IS("add")) STORE(T, a + b); \
        if (IS("sub")) STORE(T, a - b); \
        if (IS("mul")) STORE(T, a * b); \
        if (IS("div")) STORE(T, a / b); \
        if (IS("fma")) STORE(T, fma##SUFFIX(a, b, c)); \
        if (IS("sqrt")) STORE(T, sqrt##SUFFIX(a)); \
        if (IS("fmod")) STORE(T, fmod##SUFFIX(a, b)); \
        if (IS("remainder")) STORE(T, remainder##SUFFIX(a, b)); \
        if (IS("fmin")) STORE(T, fmin##SUFFIX(a, b)); \
        if (IS("fmax")) STORE(T, fmax##SUFFIX(a, b)); \
        if (IS("rint")) STORE(T, rint##SUFFIX(a)); \
        if (IS("floor")) STORE(T, floor##SUFFIX(a)); \
        if (IS("ceil")) STORE(T, ceil##SUFFIX(a)); \
        if (IS("trunc")) STORE(T, trunc##SUFFIX(a)); \
        if (IS("round")) STORE(T, round##SUFFIX(a)); \
        if (IS("eq")) return a == b; \
        if (IS("lt")) return a < b; \
        if (IS("le")) return a <= b; \
        if (IS("isnan")) return !!isnan(a); \
        if (IS("isinf")) return !!isinf(a); \
        if (IS("isnormal")) return !!isnormal(a); \
        if (IS("to_f32")) STORE(f32, a); \
        if (IS("to_f64")) STORE(f64, a); \
        if (IS("to_f80")) STORE(f80, a); \
        if (IS("to_f128")) STORE(f128, a); \
        if (IS("to_i8")) STORE(i8, a); \
        if (IS("to_i16")) STORE(i16, a); \
        if (IS("to_i32")) STORE(i32, a); \
        if (IS("to_i64")) STORE(i64, a); \
        if (IS("to_i128")) STORE(i128, a); \
        if (IS("to_u8")) STORE(u8, a); \
        if (IS("to_u16")) STORE(u16, a); \
        if (IS("to_u32")) STORE(u32, a); \
        if (IS("to_u64")) STORE(u64, a); \
        if (IS("to_u128")) STORE(u128, a); \
        return unknown(op); \
    }

FLOAT(f32, f)
FLOAT(f64, )
FLOAT(f80, l)
FLOAT(f128, f128)

static word apply(const char *op, const char *type, word a, word b, word c) {
    if (!strcmp(type, "i8")) return apply_u8(op, a, b);
    if (!strcmp(type, "i16")) return apply_u16(op, a, b);
    if (!strcmp(type, "i32")) return apply_u32(op, a, b);
    if (!strcmp(type, "i64")) return apply_u64(op, a, b);
    if (!strcmp(type, "i128")) return apply_u128(op, a, b);
    if (!strcmp(type, "f32")) return apply_f32(op, a, b, c);
    if (!strcmp(type, "f64")) return apply_f64(op, a, b, c);
    if (!strcmp(type, "f80")) return apply_f80(op, a, b, c);
    if (!strcmp(type, "f128")) return apply_f128(op, a, b, c);
    return unknown(type);
}

static word parse(const char *type, const char *text) {
    if (!strcmp(type, "f32")) STORE(f32, strtof(text, 0));
    if (!strcmp(type, "f64")) STORE(f64, strtod(text, 0));
    if (!strcmp(type, "f80")) STORE(f80, strtold(text, 0));
    if (!strcmp(type, "f128")) STORE(f128, strtof128(text, 0));
    return unknown(type);
}

static void print(const char *type, const char *format, word a) {
    LOAD(f64, number, a);
    LOAD(f80, extended, a);
    if (!strcmp(type, "f64")) printf(format, number);
    else if (!strcmp(type, "f80")) printf(format, extended);
    else unknown(type);
    putchar('\n');
}

static word image(const char *text) {
    word value = 0;
    for (; *text; text++) {
        value = value << 4 | (word)(*text <= '9' ? *text - '0' : *text - 'a' + 10);
    }
    return value;
}

static void answer(word value) {
    printf("%llx%016llx\n", (u64)(value >> 64), (u64)value);
}

static int mode(char letter) {
    return letter == 'u' ? FE_UPWARD : letter == 'd' ? FE_DOWNWARD : letter == 'z' ? FE_TOWARDZERO : FE_TONEAREST;
}

int main(void) {
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        char *verb = strtok(line, " \n"), *first = strtok(0, " \n"), *second = strtok(0, " \n");
        if (!strcmp(verb, "apply")) {
            char *rounding = strtok(0, " \n");
            word a = image(strtok(0, " \n")), b = image(strtok(0, " \n")), c = image(strtok(0, " \n"));
            fesetround(mode(*rounding));
            word result = apply(first, second, a, b, c);
            fesetround(FE_TONEAREST);
            answer(result);
        } else if (!strcmp(verb, "print")) {
            print(first, second, image(strtok(0, " \n")));
        } else {
            answer(parse(first, second));
        }
    }
    return 0;
}
