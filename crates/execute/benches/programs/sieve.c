// Bytes of a large array.
static unsigned char composite[2000000];

int main(void) {
    int count = 0;
    for (int i = 2; i < 2000000; i++) {
        if (composite[i])
            continue;
        count++;
        for (int j = 2 * i; j < 2000000; j += i)
            composite[j] = 1;
    }
    return count != 148933;
}
