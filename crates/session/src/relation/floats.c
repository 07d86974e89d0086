
/* The bits of the float of so many bits at a place in the order of all floats: -0 stands at -1, +0 at 0. */
static unsigned long long clew_bits(unsigned long long place, int width)
{
    unsigned long long sign = 1ULL << (width - 1);
    if ((long long)place < 0)
        return (~place & (sign - 1)) | sign;
    return place;
}

static double clew_real(unsigned long long place, int width)
{
    unsigned long long bits = clew_bits(place, width);
    unsigned narrow = (unsigned)bits;
    double wide;
    float value;
    __builtin_memcpy(&wide, &bits, sizeof wide);
    __builtin_memcpy(&value, &narrow, sizeof value);
    return width == 32 ? value : wide;
}

/* The place of the float that is nearest to a number. */
static unsigned long long clew_place(double real, int width)
{
    unsigned long long bits = 0, sign = 1ULL << (width - 1);
    float value = (float)real;
    if (width == 32)
        __builtin_memcpy(&bits, &value, sizeof value);
    else
        __builtin_memcpy(&bits, &real, sizeof real);
    return bits & sign ? ~(bits & (sign - 1)) : bits;
}
