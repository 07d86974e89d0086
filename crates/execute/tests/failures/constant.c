// Writing to a constant.
static const int table[2] = {1, 2};
int main(void) {
    *(int *)&table[1] = 3; //~ write to a constant at offset 4 (variable `table`)
    return 0;
}
