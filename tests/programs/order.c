/* The order of evaluation that C leaves open: places and values of assignments, what is settled whatever it asks. */
#include <stdio.h>

struct s {
    int x, y;
};

static int a[4], *p = a, gx;
static long l[4];
static double d[4];
static unsigned u[4];
static _Bool b[4];
static void *v[4];
static struct s t[4];

static int P(int n, int value) {
    printf("%d ", n);
    return value;
}

static char C(int n, int value) {
    printf("%d ", n);
    return (char)value;
}

static int A(int m, int n) {
    (void)m;
    printf("%d ", n);
    return 0;
}

static int *ptr(int n) {
    printf("%d ", n);
    return a;
}

static struct s S(int n) {
    printf("%d ", n);
    return t[0];
}

static struct s *SP(int n) {
    printf("%d ", n);
    return t;
}

static struct s *SQ(int m, int n) {
    (void)m;
    printf("%d ", n);
    return t;
}

#define T(...)                                                                                                         \
    printf("%s: ", #__VA_ARGS__);                                                                                      \
    __VA_ARGS__;                                                                                                       \
    printf("\n");

int main(void) {
    int loc[4] = {0}, i, *q = loc;
    T(p[P(1,1)] = P(2,1))
    T(a[P(1,1)] = P(2,1))
    T(p[P(1,1) ? 0 : 1] = P(2,1))
    T(p[P(1,1) ? 0 : 1] = P(2,1) ? 4 : 5)
    T(a[P(1,1) ? 0 : 1] = P(2,1) ? 4 : 5)
    T(p[P(1,1) ? 0 : 1] = P(2,1) > 3)
    T(*ptr(1) = P(2,1))
    T(ptr(1)[P(2,1)] = P(3,1))
    T(t[P(1,1)].y = P(2,1))
    T(t[P(1,1)?0:1].y = P(2,1)?3:4)
    T(p[P(1,1)] = (P(2,1),3))
    T(p[P(1,1)] = P(2,1) + 4)
    T(p[P(1,1)] += P(2,1))
    T(*(p + P(1,1)) = P(2,1))
    T(q[P(1,1)] = P(2,1))
    T(loc[P(1,1)] = P(2,1))
    T(loc[P(1,1)?0:1] = P(2,1)?3:4)
    T(t[P(1,1)] = t[P(2,1)])
    T(p[P(1,1)] = P(2,1) && P(3,1))
    T(loc[P(1,1)] = P(2,1) && P(3,1))
    T(loc[P(1,1) || P(4,4)] = P(2,1) && P(3,1))
    T(p[P(1,1)] = A(P(2,1),3))
    T(p[P(1,1)] = A(P(2,1)?4:5,3))
    T(p[P(1,1)?0:1] = A(P(2,1)?4:5,3))
    T(p[P(1,1)] = (int)P(2,1))
    T(l[P(1,1)] = P(2,1))
    T(p[P(1,1)] = C(2,1))
    T(p[P(1,1)] = (char)P(2,1))
    T(SP(1)->y = P(2,1))
    T(SP(1)->y = P(2,1)+1)
    T(*SP(1) = S(2))
    T(*SP(1) = t[P(2,1)])
    T(t[P(1,1)] = S(2))
    T(t[P(1,1)] = *SP(2))
    T(t[P(1,1)] = P(2,1) ? t[P(3,1)] : t[2])
    T(t[P(1,1)] = (P(2,1), t[P(3,1)]))
    T(t[P(1,1)] = P(2,1) ? S(3) : S(4))
    T(SP(1)->y = SP(2)->x = P(3,1))
    T(SP(1)->y = SP(2)->x)
    T(*ptr(1) = *ptr(2))
    T(*ptr(1) = -P(2,1))
    T(*ptr(1) = !P(2,1))
    T(*ptr(1) = a[P(2,1)])
    T(*ptr(1) = (P(2,1)))
    T(*ptr(1) = loc[0]++ + P(2,1))
    T(*ptr(1) = loc[P(2,0)]++)
    T(*ptr(1) = (loc[P(2,0)] = 4))
    T(SQ(P(1,1),2)->y = A(P(3,1),4))
    T(SQ(P(1,1),2)->y = A(P(3,1),4)+1)
    T(i = P(1,1))
    T(t[P(1,1)] = (struct s){P(2,1), P(3,1)})
    T(*SP(1) = (struct s){P(2,1), P(3,1)})
    T(l[P(1,1)] = (long)P(2,1))
    T(l[P(1,1)] = (unsigned)P(2,1))
    T(d[P(1,1)] = P(2,1))
    T(u[P(1,1)] = P(2,1))
    T(v[P(1,1)] = ptr(2))
    T(v[P(1,1)] = SP(2))
    T(b[P(1,1)] = P(2,1))
    T(*ptr(1) = ({ P(2,1)+1; }))
    T(*ptr(1) = ({ P(3,1); P(2,1); }))
    T(*ptr(1) = ({ int z = P(3,1); z; }))
    T(*ptr(1) = A(P(2,1),P(3,1)))
    T(*ptr(1) = __builtin_expect(P(2,1),3))
    T(ptr(1)[P(2,1)] = P(3,1)+1)
    T(ptr(1)[P(2,1)?1:0] = (P(3,1)||1))
    T((P(1,1)?p:a)[P(2,1)||1] = 3)
    T((P(1,1)?p:a)[P(2,1)?1:1] = 3)
    T((P(1,1)?p:a)[(P(2,1),1)] = 3)
    T(gx = (P(1,1)?p:a)[(P(2,1),1)])
    T(gx = (P(1,1)?4:5) + (P(2,1)?gx:gx))
    T(gx = (P(1,1)?4:5) + (P(2,1)?a[1]:a[1]))
    T(gx = (P(1,1)?4:5) + (P(2,1)?gx+1:gx+1))
    T(gx = (P(1,1)?4:5) + !(P(2,1)||1))
    T(gx = (P(1,1)?4:5) + !!(P(2,1)&&0))
    T(gx = (P(1,1)?4:5) + ((P(2,1)||1) && P(3,1)))
    T(gx = (P(1,1)?4:5) + (P(3,1) && (P(2,1)||1)))
    T(gx = (P(1,1)?4:5) + ((P(2,1)||1) ? 3 : 4))
    T(gx = (P(1,1)?4:5) + (P(2,1) || 1 || P(3,1)))
    T(gx = (P(1,1)?4:5) + (1 || P(3,1)))
    T(gx = A((P(1,1)?4:5), (P(2,1)||1)))
    T(gx = (P(1,1)||1) , P(2,1))
    T(gx = (P(1,1)?4:5) + (P(2,1) * 0))
    T(gx = (P(1,1)?4:5) + (P(2,1) & 0))
    return i + gx;
}
