// A shift by more than the width.
int main(void) {
    int amount = 33;
    return 1 << amount; //~ shift amount out of range: 1 << 33
}
