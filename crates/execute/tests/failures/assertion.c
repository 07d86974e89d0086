// An assertion that does not hold.
#include <assert.h>
int main(void) {
    int x = 3;
    assert(x == 4); //~ __assert_fail: assertion `x == 4` does not hold
    return 0;
}
