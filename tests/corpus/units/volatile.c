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
    if (a != b)
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

/* Waiting for hardware, with a limit and without. */
int send(struct uart *u, unsigned char byte, int patience) {
    while (!(u->flags & 0x80)) {
        if (--patience <= 0)
            return -1;
        if (u->flags & 0x0f)
            return -2;
    }
    u->data = byte;
    while (!(u->flags & 0x40))
        ;
    return u->flags & 1 ? -3 : 0;
}

/* What was written need not be what is read. */
int sticks(void) {
    status = 5;
    if (status != 5)
        return 0;
    return 1;
}

volatile _Bool done;
struct ring {
    volatile unsigned char head, tail;
    unsigned char data[8];
};

int wait(struct ring *r) {
    int n = 0;
    while (!done && r->head == r->tail)
        n++;
    if (r->tail >= 8)
        return -1;
    return n > 1 ? r->data[r->tail & 7] : n;
}

/* Atomic operations read, too. */
volatile int interrupted;

int polls(struct uart *u) {
    if (__atomic_load_n(&interrupted, __ATOMIC_RELAXED))
        return -1;
    if (__atomic_load_n(&u->flags, __ATOMIC_SEQ_CST) & 1)
        return 1;
    if (__atomic_load_n(&interrupted, __ATOMIC_RELAXED))
        return -2;
    return 0;
}

int takes(volatile int *lock) {
    if (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
        return 0;
    int free = 1;
    if (!__atomic_compare_exchange_n(lock, &free, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        return free > 5 ? -1 : -2;
    return __atomic_add_fetch(lock, 3, __ATOMIC_SEQ_CST) == 5;
}
