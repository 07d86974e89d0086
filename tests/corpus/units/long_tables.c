//@ options: --effort 4
/* A table that is cleared and summed up takes more than a million instructions on every path. */

int sort(unsigned *sums, const unsigned char *bytes, int number)
{
    int at;
    if (number < 1 || number > 4)
        return -1;
    for (at = 65535; at >= 0; at--)
        sums[at] = 0;
    for (at = 0; at < number; at++)
        sums[bytes[at]]++;
    for (at = 1; at < 65536; at++)
        sums[at] += sums[at - 1];
    return sums[7] > 1;
}
