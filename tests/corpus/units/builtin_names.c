/* Functions that compilers know by name, called with constants by the tests: those of the program run. */
static unsigned short mask = 0xff00;

float floorf(float x)
{
    if (x < 0)
        return x - mask;
    return mask == 3 ? 7 : x;
}

int isdigit(int c)
{
    return c == 'x' || c == 'y' ? 5 : 0;
}
