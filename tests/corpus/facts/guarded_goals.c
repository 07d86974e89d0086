/* A precondition in C holds for goals as for tests: it is run first, and what it refuses is no input. */
//> 0 prove -f length --ensures '\result <= 3'
//= ensures  --ensures: \result <= 3  proved
//> 1 prove -f length --ensures '\result <= 2'
//= ensures  --ensures: \result <= 2  violated
//> 0 prove -f digit --ensures '\result == 2'
//= ensures  --ensures: \result == 2  proved
//> 1 prove -f digit --ensures '\result == 2' --precondition any
//= ensures  --ensures: \result == 2  violated
//> 1 reach -f digit --goal 'n == 7@44'
//= infeasible
//> 2 prove -f digit --ensures '\result == 2' --precondition length
//= must take the parameters of
struct node { int tag; struct node *next; };

static int is_chain(const struct node *n, int most)
{
    if (!n || most == 0) return 0;
    if (n->tag == 0) return 1;
    return n->tag == 1 && is_chain(n->next, most - 1);
}

int length_precond(const struct node *n)
{
    return is_chain(n, 4);
}

int length(const struct node *n)
{
    int length = 0;
    for (; n->tag == 1; n = n->next) length++;
    return length;
}

int digit_precond(int n)
{
    for (int i = 0; i < 5; i++)
        if (n == 10 + i) return 1;
    return 0;
}

int digit(int n)
{
    int digits = 0;
    for (; n > 0; n /= 10) digits++;
    return digits;
}

int any(int n)
{
    return n > 0;
}
