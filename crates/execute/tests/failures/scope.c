// The address of a variable whose block has ended.
int main(void) {
    int *p;
    {
        int y = 3;
        p = &y;
    }
    return *p; //~ object no longer exists (variable `y` of `main`)
}
