// Sets of behaviors are properties; clauses of loops that are not checked are said not to be.
//> 1 prove --function covers
//= complete behaviors low, high
//= violated
//= with x = 0
/*@ behavior low: assumes x < 0; ensures \result == 0;
    behavior high: assumes x > 0; ensures \result == 1;
    complete behaviors low, high;
    disjoint behaviors low, high; */
int covers(int x) { return x > 0; }
//> 1 prove --function overlap
//= disjoint
//= violated
/*@ behavior a: assumes x > 5; ensures \result == 1;
    behavior b: assumes x > 3; ensures \result >= 0;
    disjoint behaviors; */
int overlap(int x) { return x > 5; }
//> 0 prove --function fine
//! violated
//! unknown
/*@ behavior a: assumes x > 5; ensures \result == 1;
    behavior b: assumes x <= 5; ensures \result == 0;
    complete behaviors; disjoint behaviors; */
int fine(int x) { return x > 5; }
//> prove --function turns
//= loop variant s  violated
//= `loop assigns` is not checked
int turns(int n) {
    int s = 0;
    /*@ loop invariant s >= 0; loop assigns n; loop variant s; */
    while (n > 0) { s++; if (s > 10) s = 10; n--; }
    return s;
}
