/* Models of stdlib.h. Sorting and searching compare in the order the GNU C library does, because the function that
 * compares is part of the program. */

//= atoi
int atoi(const char *s) {
    return (int)strtol(s, 0, 10);
}

//= atol
long atol(const char *s) {
    return strtol(s, 0, 10);
}

//= atoll
long long atoll(const char *s) {
    return strtoll(s, 0, 10);
}

//= clew_digit
static int clew_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

//= clew_number
/* The digits of a number: its magnitude, at most `most`; `*end` is moved behind it. */
static unsigned long long clew_number(const char *s, char **end, int base, int *negative, unsigned long long positive_most,
                                      unsigned long long negative_most, int *overflow) {
    const char *start = s;
    unsigned long long value = 0, most;
    int any = 0;
    *negative = *overflow = 0;
    while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
        s++;
    if (*s == '-') {
        *negative = 1;
        s++;
    } else if (*s == '+') {
        s++;
    }
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && clew_digit(s[2]) < 16) {
        s += 2;
        base = 16;
    } else if (base == 0) {
        base = *s == '0' ? 8 : 10;
    }
    most = *negative ? negative_most : positive_most;
    for (;; s++) {
        int digit = clew_digit(*s);
        if (digit >= base)
            break;
        any = 1;
        if (*overflow || value > (most - (unsigned)digit) / (unsigned)base)
            *overflow = 1;
        else
            value = value * (unsigned)base + (unsigned)digit;
    }
    if (end)
        *end = (char *)(any ? s : start);
    if (*overflow) {
        *__errno_location() = 34;
        return most;
    }
    return value;
}

//= strtol
long strtol(const char *s, char **end, int base) {
    int negative, overflow;
    unsigned long long most = (unsigned long)-1 / 2;
    unsigned long long value = clew_number(s, end, base, &negative, most, most + 1, &overflow);
    return negative ? (long)(0 - value) : (long)value;
}

//= strtoll
long long strtoll(const char *s, char **end, int base) {
    int negative, overflow;
    unsigned long long most = (unsigned long long)-1 / 2;
    unsigned long long value = clew_number(s, end, base, &negative, most, most + 1, &overflow);
    return negative ? (long long)(0 - value) : (long long)value;
}

//= strtoul
unsigned long strtoul(const char *s, char **end, int base) {
    int negative, overflow;
    unsigned long most = (unsigned long)-1;
    unsigned long value = (unsigned long)clew_number(s, end, base, &negative, most, most, &overflow);
    return negative && !overflow ? 0 - value : value;
}

//= strtoull
unsigned long long strtoull(const char *s, char **end, int base) {
    int negative, overflow;
    unsigned long long most = (unsigned long long)-1;
    unsigned long long value = clew_number(s, end, base, &negative, most, most, &overflow);
    return negative && !overflow ? 0 - value : value;
}

//= bsearch
void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const void *place = (const char *)base + middle * size;
        int order = compare(key, place);
        if (order < 0)
            high = middle;
        else if (order > 0)
            low = middle + 1;
        else
            return (void *)place;
    }
    return 0;
}

//= clew_sort
static void clew_sort(char *base, size_t count, size_t size, int (*compare)(const void *, const void *), char *room) {
    size_t first = count / 2, second = count - count / 2, done = 0, bytes;
    char *a = base, *b = base + first * size;
    if (count <= 1)
        return;
    clew_sort(a, first, size, compare, room);
    clew_sort(b, second, size, compare, room);
    while (first > 0 && second > 0) {
        if (compare(a, b) <= 0) {
            memcpy(room + done, a, size);
            a += size;
            first--;
        } else {
            memcpy(room + done, b, size);
            b += size;
            second--;
        }
        done += size;
    }
    bytes = first * size;
    if (bytes > 0)
        memcpy(room + done, a, bytes);
    memcpy(base, room, (count - second) * size);
}

//= qsort
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    char *room, *end = (char *)base + count * size;
    /* All elements must be there, whatever is compared. */
    if (count > 0 && size > 0)
        memmove(end - 1, end - 1, 1);
    if (count <= 1)
        return;
    room = malloc(count * size);
    clew_sort(base, count, size, compare, room);
    free(room);
}

//= div
struct clew_div { int quot, rem; };
struct clew_div div(int a, int b) {
    struct clew_div result;
    result.quot = a / b;
    result.rem = a % b;
    return result;
}

//= ldiv
struct clew_ldiv { long quot, rem; };
struct clew_ldiv ldiv(long a, long b) {
    struct clew_ldiv result;
    result.quot = a / b;
    result.rem = a % b;
    return result;
}

//= lldiv
struct clew_lldiv { long long quot, rem; };
struct clew_lldiv lldiv(long long a, long long b) {
    struct clew_lldiv result;
    result.quot = a / b;
    result.rem = a % b;
    return result;
}

//= __errno_location
static int clew_errno;
int *__errno_location(void) { return &clew_errno; }

//= clew_decimal
/* A decimal number: its digits as an integer, which is at most `most`, times or divided by a power of ten, at most
 * `most_power`. Both are exact, so that one operation rounds as the real function does. Longer numbers, hexadecimal ones,
 * infinity and NaN are not supported. */
static double clew_decimal(const char *s, char **end, unsigned long long most, int most_power) {
    const char *start = s, *after;
    unsigned long long digits = 0;
    int negative = 0, any = 0, point = 0, exponent = 0;
    double value, power = 1;
    while (clew_is_space(*s))
        s++;
    if (*s == '-' || *s == '+')
        negative = *s++ == '-';
    if (*s == 'i' || *s == 'I' || *s == 'n' || *s == 'N' || (*s == '0' && (s[1] == 'x' || s[1] == 'X')))
        __builtin_clew_unsupported();
    for (;; s++) {
        if (*s >= '0' && *s <= '9') {
            any = 1;
            if (digits > (most - 9) / 10)
                __builtin_clew_unsupported();
            digits = digits * 10 + (unsigned)(*s - '0');
            exponent -= point;
        } else if (*s == '.' && !point) {
            point = 1;
        } else {
            break;
        }
    }
    if (!any) {
        if (end)
            *end = (char *)start;
        return 0;
    }
    after = s;
    if (*s == 'e' || *s == 'E') {
        int minus = 0, given = 0;
        s++;
        if (*s == '-' || *s == '+')
            minus = *s++ == '-';
        if (*s >= '0' && *s <= '9') {
            for (; *s >= '0' && *s <= '9'; s++)
                if (given < 10000)
                    given = given * 10 + (*s - '0');
            after = s;
            exponent += minus ? -given : given;
        }
    }
    if (end)
        *end = (char *)after;
    if (digits == 0)
        return negative ? -0.0 : 0.0;
    if (exponent > most_power || exponent < -most_power)
        __builtin_clew_unsupported();
    value = (double)digits;
    if (exponent < 0) {
        for (; exponent < 0; exponent++)
            power *= 10;
        value /= power;
    } else {
        for (; exponent > 0; exponent--)
            power *= 10;
        value *= power;
    }
    return negative ? -value : value;
}

//= strtod
double strtod(const char *s, char **end) {
    return clew_decimal(s, end, 9007199254740992, 22);
}

//= strtof
float strtof(const char *s, char **end) {
    return (float)clew_decimal(s, end, 16777216, 10);
}

//= atof
double atof(const char *s) {
    return strtod(s, 0);
}
