/* A sum of equal steps: proved for all inputs by the relation of the two counters. */
/*@ requires 0 <= n <= 1000000;
  @ ensures \result == 4 * n;
  @*/
int four(int n)
{
    int sum = 0, i;
    for (i = 0; i < n; i++)
        sum += 4;
    return sum;
}
