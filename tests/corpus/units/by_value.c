/* Structures behind pointers, given by value to functions without a body: the caller reads them. */
typedef struct {
    unsigned char red, green;
} Colour;

struct display {
    void (*set)(int x, Colour colour);
    int width;
};

void shown(Colour colour, int times);

void draw(struct display *display, const Colour *from)
{
    for (int x = 0; x < display->width; x++)
        display->set(x, from[x]);
}

int show(const Colour *from, int times)
{
    if (times > 3) {
        shown(*from, times);
        return from->red == 7;
    }
    return -1;
}
