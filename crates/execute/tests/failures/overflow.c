// A signed sum that does not fit.
int main(void) {
    int x = 2147483647;
    x += 1; //~ signed overflow: 2147483647 + 1
    return x;
}
