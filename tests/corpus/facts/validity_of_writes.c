/* What a contract lets be read is not written; a pointer that is null or too short is not moved. */
//> 1 prove --checks --function written
//= access  line 22: *p = 1  violated
//> 1 prove --checks --function element
//= access#1  line 24: p[2]++  proved
//= access#2  line 24: p[2]++  violated
//> 0 prove --checks --function both
//! violated
//> 1 prove --checks --function moved
//= pointer-arithmetic  line 28: p[3]  violated
//> 1 prove --checks --function row
//= pointer-arithmetic  line 30: (*a)[5]  violated
//> 0 prove --checks --function last
//= proved
//> 1 prove --checks --function truth
//= representation
//= violated
//> test --criterion decision --function element_read
//= the value was never written
//! infeasible:
/*@ requires \valid_read(p); */
int written(int *p) { *p = 1; return 0; }
/*@ requires \valid_read(p + (0 .. 3)); */
unsigned element(unsigned *p) { p[2]++; return 0; }
/*@ requires \valid_read(p); requires \valid(p); */
int both(int *p) { *p = 1; return 0; }

char moved(char *p) { return p[3]; }
/*@ requires \valid(a); */
int row(int (*a)[4]) { return (*a)[5]; }
/*@ requires \valid(a); */
int last(int (*a)[4]) { return (*a)[3]; }

int truth(unsigned char c) { _Bool b; *(unsigned char *)&b = c; return b; }

int element_read(int a) { int x[2]; x[0] = 1; if (x[a & 1] == 3) return 1; return 0; }
