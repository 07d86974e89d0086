// A call through a pointer of another type.
static int whole(double number) { return (int)number; }
int main(void) {
    int (*p)(int) = (int (*)(int))whole;
    return p(3); //~ call through 0x100010000: the function takes other arguments or returns another type
}
