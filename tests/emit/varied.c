/* Functions of many kinds, each tested by generated code in every framework. */
#include <stddef.h>
#include <stdlib.h>

enum kind { SMALL, LARGE = 7 };

struct point {
    short x;
    unsigned char y;
    double weight;
};

struct node {
    int value;
    struct node *next;
};

static unsigned calls;
int limits[4] = {1, 2, 3, 4};
struct point origin = {1, 2, 0.5};

/* Integers of several widths. */
long integers(signed char a, unsigned short b, long c, enum kind kind)
{
    if (kind == LARGE && c < -4000000000L)
        return c + 1;
    return a < 0 && b > 65000 ? -1 : 1;
}

/* An array of the caller's, written. */
/*@ requires 0 <= n <= 5 && \valid(a + (0 .. n - 1)); */
void arrays(unsigned char *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = (unsigned char)(a[i] > 9 ? 255 : i);
}

/* An array shorter than the parameter says. */
/*@ requires 0 <= n <= 2 && \valid(a + (0 .. n - 1)); */
int matrix(int a[4][4], int n)
{
    int i;
    for (i = 0; i < n; i++)
        if (a[i][1] > 5)
            return a[i][1] & 7;
    return -1;
}

/* A structure by value, and one returned. */
struct point structures(struct point p, struct point *out)
{
    struct point r = p;
    if (p.y > 100)
        r.x = (short)-p.y;
    if (out) {
        out->weight = r.x < 0 ? -0.0 : 1.0 / 3;
        r.weight = 0;
    }
    return r;
}

/* Floats, with what is no number. */
float floats(float x, double y)
{
    if (x != x)
        return x;
    if (x > 1e30f)
        return x * 1e30f;
    return y < 0 ? -0.0f : x / 3;
}

/* A function nobody else can call. */
static int hidden(int x)
{
    return x > 3 ? x - 3 : 3 - x;
}

/* Variables of the program. */
int globals(int by)
{
    calls++;
    if (limits[1] < by && by < 1000) {
        limits[2] += by & 7;
        origin.x = 5;
    }
    return calls > 2 ? hidden(by & 15) : 0;
}

/* A list, turned around. */
struct node *reverse(struct node *list)
{
    struct node *done = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}

/* Calls that do not come back. */
int endings(int x)
{
    if (x == 1)
        exit(3);
    if (x == 2)
        abort();
    return 12 / x;
}
