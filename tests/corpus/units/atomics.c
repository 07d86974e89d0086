/* Atomic variables: C11 _Atomic, <stdatomic.h>, the builtins of gcc. */
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int users;
static _Atomic unsigned flags;

int enter(int most) {
    int before = atomic_fetch_add(&users, 1);
    if (before >= most) {
        atomic_fetch_sub(&users, 1);
        return 0;
    }
    return 1;
}

bool claim(atomic_int *slot, int mine) {
    int expected = 0;
    if (atomic_compare_exchange_strong(slot, &expected, mine))
        return true;
    return expected == mine;
}

int set_flag(unsigned bit) {
    if (bit > 31)
        return -1;
    unsigned old = atomic_fetch_or_explicit(&flags, 1u << bit, memory_order_relaxed);
    return old >> bit & 1 ? 1 : 0;
}

int increments(_Atomic int *p) {
    if (!p)
        return 0;
    (*p)++;
    *p += 2;
    return *p == 10 ? 1 : 2;
}

int builtins(int *p) {
    int old = __sync_fetch_and_add(p, 1);
    if (__atomic_load_n(p, __ATOMIC_SEQ_CST) == 5)
        return old;
    return __sync_bool_compare_and_swap(p, 9, 0) ? 2 : 3;
}
