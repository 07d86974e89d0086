/* Structures that are written only in part, and copied: nothing is known of the rest. */
struct pair {
    int a, b, c;
};

struct pair made(int x) {
    struct pair p;
    p.a = x;
    if (x > 3)
        p.b = 1;
    return p;
}

void put(struct pair *out, int x) {
    struct pair p;
    p.a = x;
    if (x > 3)
        p.b = 2;
    *out = p;
}

struct pair whole;

void set(int x) {
    struct pair p;
    p.a = x;
    if (x > 3)
        p.b = 2;
    whole = p;
}

struct line {
    int length;
    unsigned char text[40];
};

void line(struct line *out, int x) {
    struct line made;
    made.length = x;
    made.text[0] = 'x';
    if (x > 3)
        made.text[20] = 'y';
    *out = made;
}

/* What was there on entry stays what it was when it is copied away. */
int passed(struct pair *p, struct pair *q) {
    struct pair t;
    int n = 0;
    if (p->b == 7)
        n = 1;
    t.a = n;
    *p = t;
    *q = *p;
    return n + q->a;
}
