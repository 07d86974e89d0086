// A call through null.
int main(void) {
    void (*p)(void) = 0;
    p(); //~ call through 0x0: null pointer
    return 0;
}
