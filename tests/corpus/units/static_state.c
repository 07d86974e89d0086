/* Functions that remember earlier calls in static variables, their own or those of functions they call. */
#include <stdarg.h>
#include <stdlib.h>

int debounce(int pin)
{
    static int count = 0;
    if (pin) {
        count++;
        if (count >= 3) {
            count = 3;
            return 1;
        }
    } else {
        count = 0;
    }
    return 0;
}

/* Two variables: an output that changes when the input has been stable for four calls. */
int stable(int pin)
{
    static int output, same;
    if ((pin != 0) == output)
        same = 0;
    else if (++same == 4) {
        output = !output;
        same = 0;
    }
    if (output < 0 || output > 1) //~ infeasible
        return -1;
    return output;
}

/* A machine of ten states, a character per call. */
int greeting(char c)
{
    static enum { START, H, HE, HEL, HELL, HELLO, SPACE, Y, YO, YOU } state;
    switch (state) {  //~ infeasible
    case START: state = c == 'h' ? H : START; break;
    case H: state = c == 'e' ? HE : START; break;
    case HE: state = c == 'l' ? HEL : START; break;
    case HEL: state = c == 'l' ? HELL : START; break;
    case HELL: state = c == 'o' ? HELLO : START; break;
    case HELLO: state = c == ' ' ? SPACE : START; break;
    case SPACE: state = c == 'y' ? Y : START; break;
    case Y: state = c == 'o' ? YO : START; break;
    case YO: state = c == 'u' ? YOU : START; break;
    case YOU: return 1;
    default: return -1;
    }
    return 0;
}

int count_to_twenty(int up)
{
    static int n;
    if (up)
        n++;
    else if (n > 0)
        n--;
    if (n > 20) //~ infeasible
        return -1;
    if (n == 20) {
        n = 0;
        return 1;
    }
    return 0;
}

int moving_average(int sample, int *out)
{
    static int window[4];
    static int at, filled;
    if (sample < 0 || sample > 1000)
        return -1;
    window[at] = sample;
    at = (at + 1) % 4;
    if (filled < 4)
        filled++;
    if (filled < 4)
        return 0;
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += window[i];
    *out = sum / 4;
    return *out > 500 ? 2 : 1;
}

int pseudo_random(void)
{
    static unsigned seed = 1;
    seed = seed * 1103515245u + 12345u;
    unsigned value = seed >> 16 & 0x7fff;
    if (value % 7 == 3)
        return 1;
    return value % 11 == 5;
}

int lazily_initialised(int x)
{
    static int initialised;
    static int table[3];
    if (!initialised) {
        table[0] = 5;
        table[1] = 6;
        table[2] = 7;
        initialised = 1;
    }
    if (initialised == 2) //~ infeasible
        return -1;
    return x >= 0 && x < 3 && table[x] == 6;
}

int ring_buffer(int op, int value)
{
    static int buffer[8];
    static int head, tail, used;
    if (op == 1) {
        if (used == 8)
            return -1;
        buffer[tail] = value;
        tail = (tail + 1) % 8;
        used++;
        return 0;
    }
    if (op == 2) {
        if (used == 0)
            return -2;
        value = buffer[head];
        head = (head + 1) % 8;
        used--;
        return value == 77 ? 5 : 1;
    }
    return -3;
}

static int difference(int x)
{
    static int last;
    int difference = x - last;
    last = x & 0xff;
    return difference;
}

/* The function that it calls remembers. */
int falls(int x)
{
    return x >= 0 && x < 256 && difference(x) < 0;
}

/* A pointer to a function is the state. */
static int idle(int x) { return x == 5; }
static int busy(int x) { return x == 6 ? 2 : 0; }

int handler(int x)
{
    static int (*now)(int) = idle;
    int said = now(x);
    if (said == 1)
        now = busy;
    return said == 2;
}

struct event { int kind, arg; };

/* Each call has an object of its own. */
int follows(const struct event *event)
{
    static struct event last;
    static int seen;
    int is_next = seen && event->kind == last.kind && event->arg == last.arg && event->arg > 3;
    last = *event;
    seen = 1;
    return is_next;
}

int by_value(struct event event)
{
    static int sum;
    if (event.kind < 0 || event.kind > 3)
        return -1;
    sum = (sum + event.kind) & 15;
    return sum == 13 && event.arg == 2;
}

int sum_of_all(int n, ...)
{
    static unsigned total;
    va_list list;
    va_start(list, n);
    if (n > 0)
        total += va_arg(list, unsigned);
    va_end(list);
    return total > 1000 && n == 0;
}

int mode;

/* Variables of the program go on as the calls left them. */
int with_variable(int x)
{
    static int n;
    if (mode == 3 && x == 1)
        n++;
    if (n == 2 && mode == 4)
        return 1;
    if (n == 2)
        mode = 4;
    return 0;
}

extern int sensor(int channel);

/* So do the answers of functions without a body. */
int fails_three_times(int channel)
{
    static int bad;
    if (sensor(channel) < 0)
        bad++;
    else
        bad = 0;
    return bad == 3;
}

int ends(int x)
{
    static int n;
    if (n == 2)
        exit(x == 4 ? 4 : 5);
    if (n == 1 && x == 9)
        abort();
    n++;
    return n;
}

/* Nothing is left behind in a table that nobody writes. */
int looked_up(int i)
{
    static int squares[] = {0, 1, 4, 9, 16};
    if (i < 0 || i > 4)
        return -1;
    if (squares[i] == 5) //~ infeasible
        return 1;
    return 0;
}

/*@ requires 0 <= step <= 3; */
int stepper(int step)
{
    static int at;
    if (at == 10)
        return 1;
    if (at > 12) //~? unknown
        return 2;
    at += step;
    if (at > 10)
        at = 10;
    return 0;
}

/* Others may write where it points to. */
int *counter(void)
{
    static int count;
    if (count > 5) //~? unknown
        count = 1;
    return &count;
}

/* Others may call it, too. */
int shared(int n)
{
    static int level;
    if (n > 0 && n < 9)
        level = n;
    return level;
}

int calls_shared(int x)
{
    if (shared(x > 5 ? 2 : 0) == 7) //~? unknown
        return 1;
    return 0;
}
