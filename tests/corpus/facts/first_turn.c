/* What loops keep from their first turn on: relations between what comes out and what was given. */
//> 0 prove --function divisor --effort 20
//= ensures \result <= \old(x);  proved (all paths, by induction with loop invariants)
//= ensures \result <= \old(y);  proved (all paths
//> 0 prove --function only_ten --effort 20
//= proved (all paths, by induction with loop invariants)
//> 0 prove --function follower --effort 20
//= assert(m < n)  proved (all paths, by induction with loop invariants)
#include <assert.h>

/*@ requires x > 0 && y > 0; ensures \result <= \old(x); ensures \result <= \old(y); */
int divisor(int x, int y)
{
    int a, b;
    while (x > 0) {
        if (x < y) {
            a = y;
            b = x;
        } else {
            a = x;
            b = y;
        }
        x = a - b;
        y = b;
    }
    return y;
}

/*@ ensures 50 <= \result <= 60 ==> i == 10; */
int only_ten(int i)
{
    int s = 0;
    while (i > 0) {
        s += i;
        i--;
    }
    return s;
}

int nondet(void);

int follower(int n)
{
    int m = 0, x = 0;
    while (x < n) {
        if (nondet())
            m = x;
        x++;
    }
    if (n > 0)
        assert(m < n);
    return m;
}
