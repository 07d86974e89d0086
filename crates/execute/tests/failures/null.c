// Reading through null.
int main(void) {
    int *p = 0;
    return *p; //~ null pointer
}
