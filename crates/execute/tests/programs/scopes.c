// Jumps into and out of the scopes of variables whose address is taken.
#include <stdio.h>

static int through(int *p) { return *p; }

int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        goto inside;
        {
            int y;
        inside:
            y = i;
            sum += through(&y);
        }
        switch (i) {
            int z;
        case 0:
        case 1:
            z = 10 * i;
            sum += through(&z);
        }
    }
    int n = 0;
again : {
    int x = n;
    int *p = &x;
    *p += 5;
    sum += x;
    if (++n < 4)
        goto again;
}
    printf("%d\n", sum);
    return 0;
}
