/* Models of stdio.h: text that is formatted to memory or read from it. What they do not know, such as floats, programs get
 * from a mock: see `format.rs`. */

//= clew_put
/* One character at a position, unless there is no room for it and the end. */
static void clew_put(char *to, size_t room, size_t at, char c) {
    if (at + 1 < room)
        to[at] = c;
}

//= clew_fill
static size_t clew_fill(char *to, size_t room, size_t at, int count, char c) {
    for (; count > 0; count--)
        clew_put(to, room, at++, c);
    return at;
}

//= clew_digits
/* The digits of a number in front of `end`; gives where they begin. */
static char *clew_digits(char *end, unsigned long long value, int is_long, unsigned base, int upper) {
    const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    unsigned narrow = (unsigned)value;
    if (!is_long) {
        for (; narrow; narrow /= base)
            *--end = digits[narrow % base];
        return end;
    }
    for (; value; value /= base)
        *--end = digits[value % base];
    return end;
}

//= clew_format
/* Bytes of an argument by its length modifier: 1, 2, 4 or 8. */
static int clew_format(char *to, size_t room, const char *format, __builtin_va_list list) {
    size_t at = 0;
    for (; *format; format++) {
        int left = 0, plus = 0, space = 0, alternate = 0, zero = 0, width = 0, precision = -1, bytes = 4, negative = 0;
        int signs, zeros, pad, count;
        unsigned base = 10;
        unsigned long long value = 0;
        char buffer[24], sign[2];
        const char *text;
        if (*format != '%') {
            clew_put(to, room, at++, *format);
            continue;
        }
        for (format++;; format++) {
            if (*format == '-')
                left = 1;
            else if (*format == '+')
                plus = 1;
            else if (*format == ' ')
                space = 1;
            else if (*format == '#')
                alternate = 1;
            else if (*format == '0')
                zero = 1;
            else
                break;
        }
        if (*format == '*') {
            width = __builtin_va_arg(list, int);
            format++;
            if (width < 0) {
                left = 1;
                width = -width;
            }
        } else {
            for (; *format >= '0' && *format <= '9'; format++)
                width = width * 10 + (*format - '0');
        }
        if (*format == '.') {
            format++;
            precision = 0;
            if (*format == '*') {
                precision = __builtin_va_arg(list, int);
                format++;
            } else {
                for (; *format >= '0' && *format <= '9'; format++)
                    precision = precision * 10 + (*format - '0');
            }
        }
        if (*format == 'h') {
            bytes = 2;
            if (*++format == 'h') {
                bytes = 1;
                format++;
            }
        } else if (*format == 'l') {
            bytes = (int)sizeof(long);
            if (*++format == 'l') {
                bytes = 8;
                format++;
            }
        } else if (*format == 'z' || *format == 't') {
            bytes = (int)sizeof(size_t);
            format++;
        } else if (*format == 'j' || *format == 'q') {
            bytes = 8;
            format++;
        }
        sign[0] = sign[1] = 0;
        signs = 0;
        switch (*format) {
        case 'd':
        case 'i': {
            long long number;
            if (bytes == 8)
                number = __builtin_va_arg(list, long long);
            else
                number = __builtin_va_arg(list, int);
            if (bytes == 2)
                number = (short)number;
            if (bytes == 1)
                number = (signed char)number;
            negative = number < 0;
            value = negative ? 0 - (unsigned long long)number : (unsigned long long)number;
            if (negative)
                sign[signs++] = '-';
            else if (plus)
                sign[signs++] = '+';
            else if (space)
                sign[signs++] = ' ';
            break;
        }
        case 'u':
        case 'x':
        case 'X':
        case 'o':
            if (bytes == 8)
                value = __builtin_va_arg(list, unsigned long long);
            else
                value = __builtin_va_arg(list, unsigned);
            if (bytes == 2)
                value = (unsigned short)value;
            if (bytes == 1)
                value = (unsigned char)value;
            base = *format == 'u' ? 10 : *format == 'o' ? 8 : 16;
            if (alternate && base == 16 && value) {
                sign[signs++] = '0';
                sign[signs++] = *format;
            }
            break;
        case 'c':
            buffer[0] = (char)__builtin_va_arg(list, int);
            if (!left)
                at = clew_fill(to, room, at, width - 1, ' ');
            clew_put(to, room, at++, buffer[0]);
            if (left)
                at = clew_fill(to, room, at, width - 1, ' ');
            continue;
        case 's':
            text = __builtin_va_arg(list, const char *);
            for (count = 0; (precision < 0 || count < precision) && text[count]; count++)
                ;
            if (!left)
                at = clew_fill(to, room, at, width - count, ' ');
            for (pad = 0; pad < count; pad++)
                clew_put(to, room, at++, text[pad]);
            if (left)
                at = clew_fill(to, room, at, width - count, ' ');
            continue;
        case '%':
            clew_put(to, room, at++, '%');
            continue;
        default:
            __builtin_clew_unsupported();
            return -1;
        }
        text = clew_digits(buffer + 24, value, bytes == 8, base, *format == 'X');
        count = (int)(buffer + 24 - text);
        zeros = precision < 0 ? (count == 0) : precision > count ? precision - count : 0;
        if (base == 8 && alternate && zeros == 0)
            zeros = 1;
        if (base == 8 && alternate && precision == 0 && count == 0)
            zeros = 1;
        pad = width - signs - zeros - count;
        if (zero && !left && precision < 0 && pad > 0) {
            zeros += pad;
            pad = 0;
        }
        if (!left)
            at = clew_fill(to, room, at, pad, ' ');
        if (signs > 0)
            clew_put(to, room, at++, sign[0]);
        if (signs > 1)
            clew_put(to, room, at++, sign[1]);
        at = clew_fill(to, room, at, zeros, '0');
        for (; count > 0; count--)
            clew_put(to, room, at++, *text++);
        if (left)
            at = clew_fill(to, room, at, pad, ' ');
    }
    if (room > 0)
        to[at < room ? at : room - 1] = 0;
    return (int)at;
}

//= sprintf
int sprintf(char *to, const char *format, ...) {
    __builtin_va_list list;
    int length;
    __builtin_va_start(list, format);
    length = clew_format(to, (size_t)-1, format, list);
    __builtin_va_end(list);
    return length;
}

//= snprintf
int snprintf(char *to, size_t room, const char *format, ...) {
    __builtin_va_list list;
    int length;
    __builtin_va_start(list, format);
    length = clew_format(to, room, format, list);
    __builtin_va_end(list);
    return length;
}

//= clew_is_space
static int clew_is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

//= clew_in_set
/* Whether a character is in the set between brackets that begins at `set`, after the circumflex. */
static int clew_in_set(const char *set, char c) {
    const unsigned char *s = (const unsigned char *)set;
    do {
        if (s[1] == '-' && s[2] != ']' && s[2]) {
            if (s[0] <= (unsigned char)c && (unsigned char)c <= s[2])
                return 1;
            s += 2;
        } else if (s[0] == (unsigned char)c) {
            return 1;
        }
        s++;
    } while (*s && *s != ']');
    return 0;
}

//= sscanf
int sscanf(const char *s, const char *format, ...) {
    const char *start = s;
    int stored = 0;
    __builtin_va_list list;
    __builtin_va_start(list, format);
    strlen(s);
    for (; *format; format++) {
        int skip = 0, width = 0, bytes = 4, any = 0;
        if (clew_is_space(*format)) {
            while (clew_is_space(*s))
                s++;
            continue;
        }
        if (*format != '%') {
            if (!*s && !stored)
                return -1;
            if (*s != *format)
                return stored;
            s++;
            continue;
        }
        format++;
        if (*format == '*') {
            skip = 1;
            format++;
        }
        for (; *format >= '0' && *format <= '9'; format++)
            width = width * 10 + (*format - '0');
        if (*format == 'h') {
            bytes = 2;
            if (*++format == 'h') {
                bytes = 1;
                format++;
            }
        } else if (*format == 'l') {
            bytes = (int)sizeof(long);
            if (*++format == 'l') {
                bytes = 8;
                format++;
            }
        } else if (*format == 'z' || *format == 't') {
            bytes = (int)sizeof(size_t);
            format++;
        } else if (*format == 'j') {
            bytes = 8;
            format++;
        }
        if (*format == 'n') {
            if (!skip) {
                void *to = __builtin_va_arg(list, void *);
                long n = s - start;
                if (bytes == 8)
                    *(long long *)to = n;
                else if (bytes == 4)
                    *(int *)to = (int)n;
                else if (bytes == 2)
                    *(short *)to = (short)n;
                else
                    *(signed char *)to = (signed char)n;
            }
            continue;
        }
        if (*format != 'c' && *format != '[')
            while (clew_is_space(*s))
                s++;
        if (!*s)
            return stored ? stored : -1;
        switch (*format) {
        case '%':
            if (*s != '%')
                return stored;
            s++;
            continue;
        case 'c': {
            char *to = skip ? 0 : __builtin_va_arg(list, char *);
            if (width == 0)
                width = 1;
            for (; width > 0 && *s; width--, s++)
                if (to)
                    *to++ = *s;
            break;
        }
        case 's': {
            char *to = skip ? 0 : __builtin_va_arg(list, char *);
            if (width == 0)
                width = 0x7fffffff;
            for (; width > 0 && *s && !clew_is_space(*s); width--, s++)
                if (to)
                    *to++ = *s;
            if (to)
                *to = 0;
            break;
        }
        case '[': {
            char *to = skip ? 0 : __builtin_va_arg(list, char *);
            int inverted = format[1] == '^';
            const char *set = format + 1 + inverted;
            if (width == 0)
                width = 0x7fffffff;
            for (; width > 0 && *s && clew_in_set(set, *s) != inverted; width--, s++) {
                any = 1;
                if (to)
                    *to++ = *s;
            }
            if (!any)
                return stored;
            if (to)
                *to = 0;
            format = set;
            do
                format++;
            while (*format != ']');
            break;
        }
        case 'd':
        case 'i':
        case 'u':
        case 'x':
        case 'X':
        case 'o': {
            int is_signed = *format == 'd' || *format == 'i', negative = 0, over = 0;
            unsigned base = *format == 'i' ? 0 : *format == 'o' ? 8 : *format == 'd' || *format == 'u' ? 10 : 16;
            unsigned long long value = 0, most;
            if (width == 0)
                width = 0x7fffffff;
            if (*s == '-' || *s == '+') {
                negative = *s == '-';
                s++;
                width--;
            }
            if (width > 0 && *s == '0' && (base == 0 || base == 16)) {
                any = 1;
                s++;
                width--;
                if (width > 0 && (*s == 'x' || *s == 'X')) {
                    base = 16;
                    s++;
                    width--;
                } else if (base == 0) {
                    base = 8;
                }
            }
            if (base == 0)
                base = 10;
            most = is_signed ? (unsigned long long)-1 / 2 + (unsigned)negative : (unsigned long long)-1;
            for (; width > 0; width--, s++) {
                int digit = clew_digit(*s);
                if (digit >= (int)base)
                    break;
                any = 1;
                if (over || value > (most - (unsigned)digit) / base)
                    over = 1;
                else
                    value = value * base + (unsigned)digit;
            }
            if (!any)
                return stored;
            if (over)
                value = most;
            if (over)
                *__errno_location() = 34;
            if (negative && !(over && !is_signed))
                value = 0 - value;
            if (!skip) {
                void *to = __builtin_va_arg(list, void *);
                if (bytes == 8)
                    *(unsigned long long *)to = value;
                else if (bytes == 4)
                    *(unsigned *)to = (unsigned)value;
                else if (bytes == 2)
                    *(unsigned short *)to = (unsigned short)value;
                else
                    *(unsigned char *)to = (unsigned char)value;
            }
            break;
        }
        default:
            __builtin_clew_unsupported();
            return stored;
        }
        stored += !skip;
    }
    return stored;
}
