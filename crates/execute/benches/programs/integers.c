// Arithmetic on variables that are never in memory.
int main(void) {
    unsigned state = 1;
    for (int i = 0; i < 10000000; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
    }
    return state == 0;
}
