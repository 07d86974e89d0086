// A structure of which only a part was written: builds may differ in the rest.
struct point {
    double x, y, z;
};

struct point scaled(double a) {
    struct point p;
    p.x = a * 0.1;
    if (a > 1)
        p.y = 2;
    return p;
}
