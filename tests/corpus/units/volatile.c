/* Volatile inputs: each reading is a value of its own. */
#include <stdint.h>
volatile uint32_t status;
volatile int ticks;

struct uart {
    volatile uint32_t data;
    volatile uint32_t flags;
};

int wait_ready(int most) {
    for (int i = 0; i < most && i < 3; i++)
        if (status & 1)
            return i;
    return -1;
}

int stable(void) {
    uint32_t first = status, second = status;
    return first == second;
}

int receive(struct uart *u) {
    if (!(u->flags & 0x10))
        return -1;
    if (u->flags & 0x20)
        return -2;
    return (int)(u->data & 0xff);
}

int bounced(volatile int *pin) {
    int a = *pin;
    int b = *pin;
    if (a != b) //~? unknown
        return -1;
    return a ? 1 : 0;
}

/* A register of another file. */
extern volatile unsigned features;

int supports(void) {
    if (features & 4)
        return 1;
    return 0;
}
