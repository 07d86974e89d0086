/* Structures by value, as results, nested, in arrays. */
struct point { int x, y; };
struct box { struct point low, high; };
struct triangle { struct point corners[3]; const char *name; };

struct point middle(struct box b) {
    struct point m = {0, 0};
    if (b.low.x > b.high.x || b.low.y > b.high.y)
        return m;
    m.x = b.low.x / 2 + b.high.x / 2;
    m.y = b.low.y / 2 + b.high.y / 2;
    return m;
}

static struct box normal(struct point a, struct point b) {
    struct box r = {a, b};
    if (a.x > b.x) {
        r.low.x = b.x;
        r.high.x = a.x;
    }
    if (a.y > b.y) {
        r.low.y = b.y;
        r.high.y = a.y;
    }
    return r;
}

int contains(struct point a, struct point b, struct point p) {
    struct box r = normal(a, b);
    return p.x >= r.low.x && p.x <= r.high.x && p.y >= r.low.y && p.y <= r.high.y;
}

int flat(const struct triangle *t) {
    return t->corners[0].y == t->corners[1].y && t->corners[1].y == t->corners[2].y;
}

struct triangle move(struct triangle t, int dx) {
    for (int i = 0; i < 3; i++)
        if (t.corners[i].x < 1000 && dx < 1000)
            t.corners[i].x += dx;
    return t;
}

struct item { char tag; double weight; };

int total(const struct item items[], int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        if (items[i].tag == 'w')
            sum += items[i].weight;
    return sum > 10.5;
}
