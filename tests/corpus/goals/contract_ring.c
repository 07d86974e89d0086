/* A ring buffer: a predicate with validity in it, promised on return. */
struct ring { int data[4]; unsigned head, count; };
/*@ predicate Valid(struct ring *r) = \valid(r) && r->head < 4 && r->count <= 4; */
/*@ requires Valid(r);
  @ assigns r->data[0 .. 3], r->count;
  @ ensures Valid(r);
  @ behavior full: assumes r->count == 4; ensures \result == 0 && r->count == 4;
  @ behavior room: assumes r->count < 4;
  @   ensures \result == 1 && r->count == \old(r->count) + 1;
  @   ensures r->data[(r->head + \old(r->count)) % 4] == x;
  @ complete behaviors; disjoint behaviors;
  @*/
int put(struct ring *r, int x) {
    if (r->count == 4) return 0;
    r->data[(r->head + r->count) % 4] = x;
    r->count++;
    return 1;
}
/*@ requires Valid(r) && \valid(x);
  @ requires \separated(r, x);
  @ assigns *x, r->head, r->count;
  @ ensures Valid(r);
  @ behavior empty: assumes r->count == 0; ensures \result == 0 && *x == \old(*x);
  @ behavior some: assumes r->count > 0; ensures \result == 1 && *x == \old(r->data[r->head]);
  @   ensures r->count == \at(r->count, Pre) - 1;
  @*/
int get(struct ring *r, int *x) {
    if (r->count == 0) return 0;
    *x = r->data[r->head];
    r->head = (r->head + 1) % 4;
    r->count--;
    return 1;
}
