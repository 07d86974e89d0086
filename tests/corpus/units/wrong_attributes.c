//@ options: -- -O2
/* Declared as if it changed nothing, or gave a new object, though it writes, and calls what is not there. */
int write_digits(char *out, unsigned value) __attribute__((pure));
int digits_of(unsigned base);
int width(unsigned base, int least) __attribute__((__pure__));

int write_digits(char *out, unsigned value)
{
    if (value > 9) {
        if (out)
            out[0] = '+';
        return 1;
    }
    if (out)
        out[0] = (char)('0' + value);
    return 1;
}

int width(unsigned base, int least)
{
    int wide = digits_of(base);
    return wide > least ? wide : least;
}

void *take_room(unsigned size);
void *room_for(unsigned count) __attribute__((malloc));

void *room_for(unsigned count)
{
    return count > 8 ? take_room(count) : take_room(8);
}
