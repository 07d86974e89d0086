/* A little of everything that a report shows: decisions of several conditions, a loop, code that nothing reaches, a
   call, and an input for which the program is undefined. */
static int clamp(int x, int low, int high) {
    if (x < low) return low;
    if (x > high) return high;
    return x;
}

/*@ requires 0 <= n <= 3; */
int grade(int marks[3], int n, int bonus) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += clamp(marks[i], 0, 20);
    if (sum < 0) /* never: </script> */
        return -1;
    if ((sum > 40 && bonus > 0) || bonus == 7)
        return sum / bonus;
    if (bonus == 3 || bonus == 5)
        return 1 / (sum - 5);
    return sum;
}
