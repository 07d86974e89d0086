// A function without a body.
int mystery(int);
int main(void) {
    return mystery(3); //~ call of `mystery`, which has no body
}
