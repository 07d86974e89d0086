/* Thirty functions on whose branches independent tools and clew must agree: every construct that decides, alone and
   nested, and what never happens. */
enum colour { RED, GREEN, BLUE };
struct point { int x, y; };
static int table[4];

int sign(int x) { if (x < 0) return -1; if (x > 0) return 1; return 0; }
int both(int a, int b) { if (a > 0 && b > 0) return 1; return 0; }
int either(int a, int b) { if (a > 0 || b > 0) return 1; return 0; }
int neither(int a, int b) { if (!(a > 0 || b > 0)) return 1; return 0; }
int mixed(int a, int b, int c) { if ((a > 0 && b > 0) || c > 0) return 1; return 0; }
int value_of(int a, int b) { int r = a > 1 && b > 1; return r; }
int value_or(int a, int b) { return a == 3 || b == 4; }
int ternary(int a, int b) { return a > b ? a : b; }
int nested_ternary(int a) { return a < 0 ? -1 : a > 9 ? 9 : a; }
int coupled(int a) { if (a > 0 && a < 10) return 1; return 0; }
int never(unsigned a) { if (a < 0) return 1; return 0; }
int never_both(int a) { if (a > 10 && a < 5) return 1; return 0; }

int by_case(int x) {
    switch (x) {
    case 1:
        return 10;
    case 2:
    case 3:
        return 20;
    case 7:
        x++;
        break;
    default:
        return 0;
    }
    return x;
}

int fall_through(int x) {
    int r = 0;
    switch (x) {
    case 0:
        r++;
        /* fall through */
    case 1:
        r++;
        break;
    }
    return r;
}

int hue(enum colour c) {
    switch (c) {
    case RED: return 1;
    case GREEN: return 2;
    case BLUE: return 3;
    }
    return 0;
}

int count_up(int n) {
    int i, s = 0;
    for (i = 0; i < n && i < 4; i++)
        s += i;
    return s;
}

int count_down(int n) {
    int s = 0;
    if (n > 3) n = 3;
    while (n > 0) {
        s += n;
        n--;
    }
    return s;
}

int at_least_once(int n) {
    int s = 0;
    do {
        s++;
        n /= 2;
    } while (n > 2 && s < 5);
    return s;
}

int nested(int a, int b) {
    if (a > 0) {
        if (b > 0)
            return 1;
        else if (b < -5)
            return 2;
    } else if (a == -7) {
        return 3;
    }
    return 4;
}

int by_goto(int a) {
    if (a == 5) goto five;
    if (a > 100) goto out;
    return 1;
five:
    a = 6;
out:
    return a;
}

int skipping(int n) {
    int s = 0;
    for (int i = 0; i < 3; i++) {
        if (i == n) continue;
        if (s > 2) break;
        s += i;
    }
    return s;
}

int grid(int n) {
    int s = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (i == j && n > i)
                s++;
    return s;
}

int bits(unsigned x) { if (x & 4u) return 1; if ((x >> 3) == 2u) return 2; return 0; }
int chars(char c) { if (c >= 'a' && c <= 'z') return 1; if (c == '_' || c == '$') return 2; return 0; }
int wide(long long x) { if (x > 5000000000LL) return 1; if (x < -5000000000LL) return 2; return 0; }
int through(int *p) { if (p && *p == 42) return 1; return 0; }
int field(struct point *p) { if (p && p->x > 3 && p->y < p->x) return 1; return 0; }
int remembered(int i) { if (i < 0 || i > 3) return -1; if (table[i] > 7) return 1; return 0; }

static int is_even(int x) { return x % 2 == 0; }
int calling(int x) { if (is_even(x) && x > 10) return 1; return 0; }

int spread(int a, int b, int c) {
    if (a > 0 &&
        b > 0 &&
        c > 0)
        return 1;
    return 0;
}

int leap(int y) {
    if ((y % 4 == 0 && y % 100 != 0) || y % 400 == 0)
        return 366;
    return 365;
}
