// What a mock of a computable library function gives violates nothing.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
//> prove --function real
//= was made up, not computed
//! violated
/*@ ensures \result == 0; */
int real(void) { char b[20]; sprintf(b, "%5.2f", 1.5); return strcmp(b, " 1.50"); }
// The result of rand is any.
//> 1 prove --function any
//= violated
/*@ ensures \result == 0; */
int any(void) { return rand(); }
