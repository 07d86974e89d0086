// The address of a variable whose function has returned.
static int *leak(void) {
    int x = 5, *p = &x;
    return p;
}
int main(void) {
    return *leak(); //~ object no longer exists (variable `x` of `leak`)
}
