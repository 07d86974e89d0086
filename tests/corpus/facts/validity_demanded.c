/* Under --checks nothing is taken for granted of pointers that the contract does not say. */
//> 1 prove --checks --function deref
//= violated
//= with p = NULL
int deref(int *p) { return *p; }

//> 0 prove --checks --function deref_valid
//= proved
/*@ requires \valid(p); */
int deref_valid(int *p) { return *p; }

//> 1 prove --checks --function second
//= access  line 15: p[1]  violated
/*@ requires \valid(p); */
int second(int *p) { return p[1]; }

//> 0 prove --checks --function second_valid
//! violated
/*@ requires \valid(p + (0 .. 1)); */
int second_valid(int *p) { return p[1]; }

//> 1 prove --checks --function beyond_row
//= access  line 24: (*a)[5]  violated
int beyond_row(int (*a)[4]) { return (*a)[5]; }
