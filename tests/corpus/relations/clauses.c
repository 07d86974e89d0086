/* Relational clauses of contracts, in the form of Frama-C's RPP: what holds of several calls. */
typedef unsigned uint32;

/*@ ensures \result >= x && \result >= y;
    relational \forall int x, y; \callpure(max, x, y) == \callpure(max, y, x); */
int max(int x, int y)
{
    return x > y ? x : y;
}

/*@ relational \forall uint32 x; \callset(\call(gray, x, g), \call(gray, x + 1u, h)) ==>
        one_bit(\callresult(g) ^ \callresult(h)); */
uint32 gray(uint32 x)
{
    return x ^ x >> 1;
}

int one_bit(uint32 x)
{
    return x != 0 && (x & (x - 1)) == 0;
}

/*@ requires x >= 0;
    relational \forall int x, int y; x <= y ==> \callpure(half, x) <= \callpure(half, y);
    relational \forall int x; x > 0 ==> \callpure(half, x) < x - 1; */
int half(int x)
{
    return x / 2;
}
