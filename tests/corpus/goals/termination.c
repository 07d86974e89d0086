// What `clew prove --terminates` says of loops and recursion; the fact stands at the end of the line. `ends` with the measure,
// `goes on` where some input keeps the loop running, `meant` where there is no way out. All facts are true.

int up(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) //~ ends: loop variant n - i;
        s ^= i;
    return s;
}

int digits(int n) {
    int count = 0;
    do { //~ ends: loop variant \abs(-n);
        n /= 10;
        count++;
    } while (n);
    return count;
}

int search(const int *a, int n, int x) {
    int low = 0, high = n - 1;
    while (low <= high) { //~ ends: loop variant high - low;
        int middle = low + (high - low) / 2;
        if (a[middle] == x)
            return middle;
        if (a[middle] < x)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

// Writes through pointers, and moves them.
void copy(char *to, const char *from, const char *end) {
    while (from < end) //~ ends: loop variant end - from;
        *to++ = *from++;
}

// No single linear measure does: y grows where x falls.
int two(int x, int y) {
    while (x > 0) { //~ ends: loop variant (x, y);
        if (y > 0)
            y--;
        else {
            x--;
            y = 10;
        }
    }
    return y;
}

int toward(int x, int n) {
    while (x != n) //~ ends: loop variant \abs(n - x);
        x < n ? x++ : x--;
    return x;
}

int fib(unsigned n) { //~ ends: decreases n;
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int ackermann(int m, int n) { //~ ends: decreases (m, n);
    if (m <= 0)
        return n + 1;
    return ackermann(m - 1, n <= 0 ? 1 : ackermann(m, n - 1));
}

// The state comes again.
int stuck(int x) {
    while (x != 3) //~ goes on
        x |= 4;
    return x;
}

// Doubling wraps around to 0.
unsigned power(unsigned n) {
    unsigned p = 1;
    while (p < n) //~ goes on
        p *= 2;
    return p;
}

void server(volatile int *port) {
    for (;;) //~ meant
        *port = 1;
}

// The string ends; the measure is how far the pointer is from the end of memory.
int length(const char *s) {
    int n = 0;
    while (*s++) //~ ends: a measure decreases
        n++;
    return n;
}

// Measures that the contract gives.
int given(int n) {
    int i = 0;
    /*@ loop variant n - i; */ //~ holds
    while (i < n)
        i += 2;
    /*@ loop variant i; */ //~ fails
    while (i > -5)
        i--;
    return i;
}
