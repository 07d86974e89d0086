// Structures and unions by value, nested initialisers, compound literals, flexible arrays, copies.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point { int x, y; };
struct big { char name[20]; struct point corners[3]; double weight; };
union number { int i; float f; unsigned char bytes[8]; };
struct list { struct list *next; int value; };
struct flexible { int count; short items[]; };

static struct flexible fixed = { 3, { 10, 20, 30 } };
static struct big global = { "static", { [1] = { .y = 7 }, [2].x = 9 }, 2.5 };
static struct list nodes[3] = { { &nodes[1], 1 }, { &nodes[2], 2 }, { 0, 3 } };
static int *pointer = &((int[]){ 4, 5, 6 })[1];
static const char *const words[] = { "zero", [2] = "two", "three" };
static struct { union { int a; char b; }; struct { int c; }; } anonymous = { { 5 }, { 6 } };

static struct point add(struct point a, struct point b) { a.x += b.x; a.y += b.y; return a; }
static struct big make(const char *name, double weight) {
    struct big b = { .weight = weight, .corners = { { 1, 2 }, { 3 }, } };
    strcpy(b.name, name);
    return b;
}
static int sum(struct big b) { int s = 0; for (int i = 0; i < 3; i++) s += b.corners[i].x * b.corners[i].y; b.weight = 0; return s; }
static struct point swap(struct point p) { return (struct point){ p.y, p.x }; }

int main(void) {
    struct point p = { 1, 2 }, q = { .y = 5 };
    p = add(p, add(q, (struct point){ 10, 20 }));
    printf("%d %d %d\n", p.x, p.y, swap(p).x);
    struct big b = make("dynamic", 1.25), c = b;
    c.corners[1] = p;
    printf("%s %d %d %g %g\n", c.name, sum(c), sum(make("x", 0)), b.weight, make("y", 8).weight);
    printf("%s %d %d %g\n", global.name, global.corners[1].y, global.corners[2].x, global.weight);
    union number n = { .f = 1.0f };
    printf("%x %d\n", n.i, n.bytes[3]);
    int total = 0;
    for (struct list *l = nodes; l; l = l->next) total = total * 10 + l->value;
    printf("%d %d %d\n", total, *pointer, pointer[1]);
    struct flexible *f = malloc(sizeof *f + 4 * sizeof(short));
    f->count = 4;
    for (int i = 0; i < f->count; i++) f->items[i] = (short)(i * i);
    printf("%d %d %zu\n", f->items[3], fixed.items[2], sizeof *f);
    free(f);
    printf("%s %s %d %zu\n", words[0], words[3], words[1] == NULL, sizeof words / sizeof *words);
    printf("%d %d %d\n", anonymous.a, anonymous.b, anonymous.c);
    int grid[3][4] = { { 1, 2 }, [2] = { [3] = 8 } };
    int (*row)[4] = grid + 2;
    printf("%d %d %zu %ld\n", (*row)[3], row[-2][1], sizeof grid, (long)(&grid[2][3] - &grid[0][0]));
    char text[] = "abc", padded[6] = "xy", exact[2] = "zz";
    printf("%zu %d %c%c\n", sizeof text, padded[5], exact[0], exact[1]);
    struct point array[2] = { [1] = p, [0] = { 3, 4 } };
    array[0] = array[1], array[1].x++;
    printf("%d %d\n", array[0].x, array[1].x);
    (p.x > 0 ? &p : &q)->y = 77;
    printf("%d %d\n", p.y, (p.x > 100 ? p : q).y);
    return 0;
}
