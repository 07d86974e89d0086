/* A branch is covered when a run takes it, whether or not that run ends. */
//> test --criterion decision --function stuck
//= 2 objectives, 2 covered, 0 infeasible, 0 unknown
int stuck(int a)
{
    if (a == 7) { for (;;); }
    return a;
}

//> test --criterion decision --function forever
//= 2 objectives, 2 covered, 0 infeasible, 0 unknown
int forever(int x)
{
    while (x != 3) { x |= 4; }
    return x;
}
