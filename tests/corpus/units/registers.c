/* Memory at fixed addresses: the registers of embedded hardware, alone, in structures, in tables, as arrays. */
#include <stdint.h>
#define IN volatile const uint32_t
typedef struct { volatile uint32_t mode; IN in; volatile uint32_t out, set; } gpio;
typedef struct { volatile uint32_t control, status, count; uint32_t reserved[4]; volatile uint32_t capture[4]; } timer;
#define BASE 0x40000000UL
#define PORT_A ((gpio *)(BASE + 0x20000))
#define PORT_B ((gpio *)(BASE + 0x20400))
#define TIMER ((timer *)BASE)
#define BUTTON (*(volatile uint32_t *)0x50000010)
#define LED (*(volatile uint32_t *)0x50000014)
#define SERIAL ((const volatile uint8_t *)0x1fff7a10)

int button(void) {
    if (BUTTON & 1u << 5) {
        LED |= 8;
        return 1;
    }
    LED &= ~8u;
    return 0;
}

static gpio *const ports[] = {PORT_A, PORT_B};

int pin(unsigned port, unsigned number) {
    if (port >= 2 || number > 15)
        return -1;
    if (ports[port]->in >> number & 1)
        return 1;
    return 0;
}

static void toggle(gpio *port, unsigned number) {
    if (port->out & 1u << number % 16)
        port->set = 0x10000u << number % 16;
    else
        port->set = 1u << number % 16;
}

void toggle_both(unsigned number) {
    toggle(PORT_A, number);
    toggle(PORT_B, number);
}

int elapsed(int channel) {
    if (channel < 0 || channel > 3)
        return -1;
    if (!(TIMER->status & 2u << channel))
        return -2;
    TIMER->status &= ~(2u << channel);
    if (TIMER->capture[channel] > TIMER->count)
        return -3;
    return (int)(TIMER->count - TIMER->capture[channel]);
}

int is_genuine(void) {
    uint8_t sum = 0;
    for (int i = 0; i < 12; i++)
        sum += SERIAL[i];
    return sum == 7 ? 1 : 0;
}

/* The address itself is a number like any other. */
int which(gpio *port) {
    if (port == PORT_A)
        return 1;
    if (port == PORT_B && ((uintptr_t)port & 0xfff) == 0x400) //~ infeasible
        return 2;
    return 0;
}

/* Not an address: nothing is ever read there. */
#define NOBODY ((int *)-1)
int is_nobody(int *p) {
    if (p == NOBODY)
        return 1;
    return *p;
}
