// A variable no unit defines.
extern int elsewhere;
int main(void) {
    return elsewhere; //~ variable `elsewhere`, which has no definition
}
