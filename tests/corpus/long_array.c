/* A path of as many branches as the array is long; nothing but the accesses says how long that is. */
int positives(const int *a, int n) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] > 0) {
            count++;
        }
    }
    return count;
}
