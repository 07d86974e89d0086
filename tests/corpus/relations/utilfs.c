/* C twins of the seven symmetric methods on arrays of QSIC 2006, table 1, and seeded bugs. Arrays begin at offset 0 here:
   offsets are moved by no permutation. References to objects are numbers. */
typedef signed char byte;
typedef unsigned short object;

/*@ requires destOff == 0 && srcOff == 0 && \valid(dest + (0 .. len - 1)) && \valid_read(src + (0 .. len - 1)); */
short arrayAndNonAtomic(byte *dest, short destOff, const byte *src, short srcOff, short len)
{
    for (short i = 0; i < len; i++)
        dest[destOff + i] = (byte)(dest[destOff + i] & src[srcOff + i]);
    return (short)(destOff + len);
}

/*@ requires destOff == 0 && srcOff == 0 && \valid(dest + (0 .. len - 1)) && \valid_read(src + (0 .. len - 1)); */
short arrayOrNonAtomic(byte *dest, short destOff, const byte *src, short srcOff, short len)
{
    for (short i = 0; i < len; i++)
        dest[destOff + i] = (byte)(dest[destOff + i] | src[srcOff + i]);
    return (short)(destOff + len);
}

/*@ requires destOff == 0 && srcOff == 0 && \valid(dest + (0 .. len - 1)) && \valid_read(src + (0 .. len - 1)); */
short arrayXorNonAtomic(byte *dest, short destOff, const byte *src, short srcOff, short len)
{
    for (short i = 0; i < len; i++)
        dest[destOff + i] = (byte)(dest[destOff + i] ^ src[srcOff + i]);
    return (short)(destOff + len);
}

/* The last byte is forgotten. */
/*@ requires destOff == 0 && srcOff == 0 && \valid(dest + (0 .. len - 1)) && \valid_read(src + (0 .. len - 1)); */
short arrayXorNonAtomic_1(byte *dest, short destOff, const byte *src, short srcOff, short len)
{
    for (short i = 0; i < len - 1; i++)
        dest[destOff + i] = (byte)(dest[destOff + i] ^ src[srcOff + i]);
    return (short)(destOff + len);
}

/* The position of the byte that is not patByte, of which there is one at most. */
/*@ requires srcOff == 0 && \valid_read(src + (0 .. len - 1));
    requires \forall integer i, j; 0 <= i < j < len ==> src[i] == patByte || src[j] == patByte; */
short arrayCompare(const byte *src, short srcOff, byte patByte, short len)
{
    for (short i = 0; i < len; i++)
        if (src[srcOff + i] != patByte)
            return (short)(srcOff + i);
    return (short)0xFFFF;
}

/*@ requires srcOff == 0 && \valid_read(src + (0 .. len - 1));
    requires \forall integer i, j; 0 <= i < j < len ==> src[i] == patByte || src[j] == patByte; */
short arrayCompare_1(const byte *src, short srcOff, byte patByte, short len)
{
    for (short i = 1; i < len; i++)
        if (src[srcOff + i] != patByte)
            return (short)(srcOff + i);
    return (short)0xFFFF;
}

/* The position of the byte that is the pattern, of which there is one at most. */
/*@ requires srcOff == 0 && \valid_read(src + (0 .. len - 1));
    requires \forall integer i, j; 0 <= i < j < len ==> src[i] != pattern || src[j] != pattern; */
short arrayFindByte(const byte *src, short srcOff, short len, byte pattern)
{
    for (short i = 0; i < len; i++)
        if (src[srcOff + i] == pattern)
            return (short)(srcOff + i);
    return (short)0xFFFF;
}

/*@ requires srcOff == 0 && n == 1 && \valid_read(src + (0 .. len - 1));
    requires \forall integer i, j; 0 <= i < j < len ==> src[i] != pattern || src[j] != pattern; */
short getObjectIndex(const object *src, short len, short srcOff, short n, object pattern)
{
    short seen = 0;
    for (short i = srcOff; i < len; i++)
        if (src[i] == pattern && ++seen == n)
            return i;
    return (short)0xFFFF;
}

/*@ requires srcOff == 0 && n == 1 && \valid_read(src + (0 .. len - 1));
    requires \forall integer i, j; 0 <= i < j < len ==> src[i] != pattern || src[j] != pattern; */
short getShortIndex(const short *src, short len, short srcOff, short n, short pattern)
{
    short seen = 0;
    for (short i = srcOff; i < len; i++)
        if (src[i] == pattern && ++seen == n)
            return i;
    return (short)0xFFFF;
}

/* Counts what is not the pattern. */
/*@ requires srcOff == 0 && n == 1 && \valid_read(src + (0 .. len - 1));
    requires \forall integer i, j; 0 <= i < j < len ==> src[i] != pattern || src[j] != pattern; */
short getShortIndex_1(const short *src, short len, short srcOff, short n, short pattern)
{
    short seen = 0;
    for (short i = srcOff; i < len; i++)
        if (src[i] != pattern && ++seen == n)
            return i;
    return (short)0xFFFF;
}
