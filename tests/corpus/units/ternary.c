/* The conditional operator: nested, with pointers and structures, as an argument, without a middle. */
struct range {
    int low, high;
};

int sign(int x) {
    return x > 0 ? 1 : x < 0 ? -1 : 0;
}

int clamp(int x, struct range r) {
    return x < r.low ? r.low : x > r.high ? r.high : x;
}

int pick(int which, int *a, int *b) {
    int *chosen = which ? a : b;
    return chosen ? *chosen > 7 ? 2 : 1 : 0;
}

struct range wider(struct range a, struct range b) {
    return a.high - a.low >= b.high - b.low && a.low <= a.high ? a : b;
}

int fallback(int value, int other) {
    int chosen = value ?: other;
    return chosen == 5 ? 1 : 0;
}

unsigned days(unsigned month, unsigned year) {
    return month == 2 ? (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28)
           : month == 4 || month == 6 || month == 9 || month == 11 ? 30
                                                                   : 31;
}
