/* Cursors into a buffer that their own structure holds. */
struct out {
    int file;
    unsigned char buffer[64], *cursor;
    unsigned written;
};

int put(struct out *out, const unsigned char *from, unsigned length)
{
    unsigned room = sizeof out->buffer - (out->cursor - out->buffer);
    if (length > room)
        return -1;
    for (unsigned i = 0; i < length; i++)
        *out->cursor++ = from[i];
    out->written += length;
    return 0;
}

int is_full(const struct out *out)
{
    return out->cursor >= out->buffer + sizeof out->buffer;
}

int is_last(struct out *out)
{
    if (out->cursor < out->buffer + 63)
        return 0;
    return out->cursor == out->buffer + 63 && *out->cursor == 'x';
}
