/* `abs` is an operator: it has no statements and no decisions of its own that a suite could be asked for. */
//> test --function size --criterion statement,all-uses,condition
//= statement: 1 objective, 1 covered
//= all-uses: 1 objective, 1 covered
//! deciding
//> 1 prove --function size --checks
//= overflow  line 12: abs(k)  violated
#include <stdlib.h>

int size(int k)
{
    return abs(k);
}
