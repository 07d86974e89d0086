/* Loops that end because a pointer, or a counter, cannot grow without end; and functions that call each other. */
//> 0 prove --terminates --function by_pointer --effort 5
//= while (*s) ends  proved
//> 0 prove --terminates --function by_index --effort 5
//= while (s[i]) ends  proved
//= loop variant 2147483647 - i;
//> prove --terminates --function by_unsigned --effort 5
//! proved
//> 0 prove --terminates --function is_odd --effort 5
//= call each other and end  proved
//= decreases n;
//> prove --terminates --function ping --effort 5
//! proved

int by_pointer(const char *s)
{
    const char *start = s;
    while (*s)
        s++;
    return s - start;
}

int by_index(const char *s)
{
    int i = 0;
    while (s[i])
        i++;
    return i;
}

int external(unsigned char);

int by_unsigned(void)
{
    unsigned char i = 0;
    while (external(i))
        i++;
    return i;
}

int is_even(unsigned n);

int is_odd(unsigned n)
{
    return n == 0 ? 0 : is_even(n - 1);
}

int is_even(unsigned n)
{
    return n == 0 ? 1 : is_odd(n - 1);
}

int pong(int n);

int ping(int n)
{
    return n == 0 ? 0 : pong(n - 1);
}

int pong(int n)
{
    return n == 0 ? 0 : ping(n + 1);
}
