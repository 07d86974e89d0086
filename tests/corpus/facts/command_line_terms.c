// Predicates of the command line know what contracts in comments know: macros, enumerators, predicates, casts.
//> 0 prove --function f --requires 'x == LIMIT' --ensures '\result == LIMIT + 1'
//= proved
//> 0 prove --function f --requires 'x == RED' --ensures '\result == GREEN'
//= proved
//> 0 reach --function f --goal 'x == LIMIT && small(x)@20'
//= covered
//> 0 test --function f -c decision --domain 'x=LIMIT..LIMIT'
//= 1 infeasible
//> 0 prove --function same --ensures '\result == (float)d || \is_NaN(d)'
//= proved
//> 1 prove --function same --ensures '\result == d'
//= violated
//> 2 prove --function f --ensures 'x == UNKNOWN_NAME'
//= `UNKNOWN_NAME` is not known here
#define LIMIT 10
enum colour { RED, GREEN };
/*@ predicate small(int v) = v <= LIMIT; */
int f(int x) {
    if (x == 10) return 11;
    return x + 1;
}

float same(double d) { return (float)d; }
