/* Stores at an index of the input leave other elements as they were: some were never written. */
int one_of_two(int i)
{
    int a[2];
    a[i & 1] = 5;
    return a[1];
}

int one_of_four(int i)
{
    int a[4] = {1, 2, 3, 4};
    a[i & 3] = 5;
    return a[2];
}
