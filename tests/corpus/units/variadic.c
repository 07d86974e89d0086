/* Functions with variable arguments: called by the unit, and as the unit itself. */
#include <stdarg.h>

static int largest(int count, ...) {
    va_list list;
    int best = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++) {
        int value = va_arg(list, int);
        if (i == 0 || value > best)
            best = value;
    }
    va_end(list);
    return best;
}

int clamp_top(int a, int b, int c) {
    int top = largest(3, a, b, c);
    if (top > 1000)
        return 1000;
    return top;
}

int sum_until_zero(int first, ...) {
    va_list list;
    int sum = 0;
    va_start(list, first);
    for (int v = first; v != 0; v = va_arg(list, int)) {
        if (v < 0)
            break;
        sum += v;
    }
    va_end(list);
    return sum;
}

int message(int level, const char *format, ...) {
    va_list list;
    int count = 0;
    if (level < 1)
        return 0;
    va_start(list, format);
    for (; *format; format++) {
        if (*format != '%')
            continue;
        switch (*++format) {
        case 'd':
            count += va_arg(list, int) != 0;
            break;
        case 's':
            count += va_arg(list, const char *) != 0;
            break;
        case '\0':
            va_end(list);
            return -1;
        default:
            break;
        }
    }
    va_end(list);
    return count;
}

/* A list of arguments that is handed on by its address: nothing of it is read here. */
int log_all(int level, const char *format, va_list *arguments);
int log_some(int level, va_list *arguments) {
    if (level < 3)
        return 0;
    return log_all(level, "%d", arguments) > 0 ? 1 : 2;
}
