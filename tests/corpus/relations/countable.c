/* Ten functions with paths whose inputs can be counted: those drawn from each path should be even. */

/*@ requires 0 <= x <= 40 && 0 <= y <= 40; */
int corner(int x, int y)
{
    if (x + y > 70)
        return 1;
    return 0;
}

/*@ requires -30 <= x <= 30; */
int folded(int x)
{
    return x * x < 200;
}

/*@ requires 0 <= a <= 12 && 0 <= b <= 12 && 0 <= c <= 12; */
int ordered(int a, int b, int c)
{
    if (a > b)
        return 0;
    return b <= c && a + c == 11;
}

int low_bits(unsigned char x)
{
    if ((x & 7) == 5)
        return 1;
    return x > 200;
}

/*@ requires 1 <= x <= 100; */
int divisible(int x)
{
    return x % 7 == 3 || x / 10 == 4;
}

/*@ requires \valid_read(v + (0 .. 1)) && 0 <= v[0] <= 15 && 0 <= v[1] <= 15; */
int pair(const int *v)
{
    if ((v[0] ^ v[1]) == 9)
        return 1;
    return 0;
}

int wraps(signed char x)
{
    return (signed char)(x + 100) < 0 && x > 0;
}

/*@ requires 0 <= x < 64 && 0 <= n <= 6; */
int shifted(unsigned x, unsigned n)
{
    if (x >> n == 1)
        return 1;
    return 0;
}

/*@ requires 1.0 <= x <= 1.0000000000000042; */
int near_one(double x)
{
    if (x > 1.0000000000000009)
        return 1;
    return 0;
}

struct point { short x, y; };

/*@ requires 0 <= p.x <= 20 && 0 <= p.y <= 20; */
int inside(struct point p)
{
    if (3 * p.x + 2 * p.y < 30)
        return 1;
    return 0;
}
