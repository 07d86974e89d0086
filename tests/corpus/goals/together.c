// Goals that one execution reaches together, and paths.

int classify(int x, int y, int n) {
    int r = 0;
    if (x > 3) // first
        r += 1; // big
    if (x < 2)
        r += 2; // small
    for (int i = 0; i < n; i++) // loop
        if (i == y)
            r += 4; // hit
        else
            r += 8; // miss
    return r; // end
}
