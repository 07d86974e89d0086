/* Pointers of globals and members, and function pointers, are assumed valid where a check is called infeasible. */
//> test --criterion error --function of_global
//= 1 infeasible (1 under assumptions)
//= `where` leads to as many elements as are accessed (validity
//> test --criterion error --function of_member
//= 1 infeasible (1 under assumptions)
//> test --criterion error --function of_function
//= 1 infeasible (1 under assumptions)
//> 1 prove --checks --function of_function
//= function-pointer
//= with f = NULL
int *where;
struct node { int value; struct node *next; };
int of_global(void) { return *where; }
int of_member(struct node n) { return n.next->value; }
int of_function(int (*f)(int)) { return f(1); }
