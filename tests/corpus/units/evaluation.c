/* Conditions on both sides of what C leaves unordered: tests must predict which comes first. */
int settled(int c, int x) {
    return (x > 2 ? x & 7 : 5) + (c > 3 || 1); //~ infeasible
}

int nothing(int c, int x) {
    return (x > 2 ? x & 7 : 5) + !(c > 3 && 0); //~ infeasible
}

int same(int c, int x) {
    return (x > 2 ? 1 : 5) + (c > 3 ? c & 1 : c & 1);
}

void stored(int c, int x, int *p) {
    p[x > 2 ? 0 : 1] = c > 3 ? 4 : 5;
}

int get(int n);

void called(int c, int x, int *p) {
    p[x > 2 ? 0 : 1] = get(c > 3 ? 1 : 2);
}

struct pair {
    int a, b;
};

void member(int c, int x, struct pair *p) {
    p[x > 2 ? 0 : 1].b = c > 3 && c < 7;
}

int subscripts(int c, int x, int *p) {
    return (x > 2 ? p : p + 1)[c > 3 ? 1 : 1];
}
