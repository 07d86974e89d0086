//@ options: --effort 0.3
/* Sorting by keys that indices lead to: what is read says where to read next. */

void sort(unsigned *map, const unsigned *key, int lo, int hi)
{
    unsigned middle, other;
    int left = lo, right = hi;
    if (hi - lo < 6 || lo < 0 || hi > 12)
        return;
    middle = key[map[(lo + hi) >> 1]];
    while (left <= right) {
        while (key[map[left]] < middle)
            left++;
        while (key[map[right]] > middle)
            right--;
        if (left <= right) {
            other = map[left];
            map[left++] = map[right];
            map[right--] = other;
        }
    }
    if (right - lo > hi - left)
        map[hi] = 0;
}
