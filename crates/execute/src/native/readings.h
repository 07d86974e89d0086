/* Volatile memory that changes by itself.
 *
 * The thread sanitizers of GCC and Clang have the code call a function before each access to memory, one of its own before
 * each reading of volatile memory. Their library is not linked: here are those functions, and what a test says is put
 * into the place before it is read. */
#pragma GCC system_header
#define CLEW_HOOK __attribute__((no_sanitize("thread"), noinline, unused))

static void clew_before_reading(void *place, unsigned long size);

CLEW_HOOK void __tsan_init(void) {}
CLEW_HOOK void __tsan_func_entry(void *from) { (void)from; }
CLEW_HOOK void __tsan_func_exit(void) {}
CLEW_HOOK void __tsan_read_range(void *at, unsigned long size) { (void)at, (void)size; }
CLEW_HOOK void __tsan_write_range(void *at, unsigned long size) { (void)at, (void)size; }

#define CLEW_ACCESS(size) \
    CLEW_HOOK void __tsan_read##size(void *at) { (void)at; } \
    CLEW_HOOK void __tsan_write##size(void *at) { (void)at; } \
    CLEW_HOOK void __tsan_unaligned_read##size(void *at) { (void)at; } \
    CLEW_HOOK void __tsan_unaligned_write##size(void *at) { (void)at; } \
    CLEW_HOOK void __tsan_volatile_read##size(void *at) { clew_before_reading(at, size); } \
    CLEW_HOOK void __tsan_volatile_write##size(void *at) { (void)at; } \
    CLEW_HOOK void __tsan_unaligned_volatile_read##size(void *at) { clew_before_reading(at, size); } \
    CLEW_HOOK void __tsan_unaligned_volatile_write##size(void *at) { (void)at; }
CLEW_ACCESS(1)
CLEW_ACCESS(2)
CLEW_ACCESS(4)
CLEW_ACCESS(8)
CLEW_ACCESS(16)

/* Atomic operations, which become calls, too, whether on volatile memory or not. A test has one thread. */
#define CLEW_FETCH(bits, type, name, new) \
    CLEW_HOOK type __tsan_atomic##bits##_##name(volatile type *at, type value, int order) { \
        clew_before_reading((void *)at, sizeof(type)); \
        type old = *at; \
        (void)order; \
        *at = (type)(new); \
        return old; \
    }
#define CLEW_COMPARE(bits, type, name) \
    CLEW_HOOK int __tsan_atomic##bits##_##name(volatile type *at, type *expected, type value, int order, int other) { \
        clew_before_reading((void *)at, sizeof(type)); \
        type old = *at; \
        int same = old == *expected; \
        (void)order, (void)other; \
        if (same) \
            *at = value; \
        else \
            *expected = old; \
        return same; \
    }
#define CLEW_ATOMIC(bits, type) \
    CLEW_HOOK type __tsan_atomic##bits##_load(const volatile type *at, int order) { \
        clew_before_reading((void *)at, sizeof(type)); \
        (void)order; \
        return *at; \
    } \
    CLEW_HOOK void __tsan_atomic##bits##_store(volatile type *at, type value, int order) { \
        (void)order; \
        *at = value; \
    } \
    CLEW_FETCH(bits, type, exchange, value) \
    CLEW_FETCH(bits, type, fetch_add, old + value) \
    CLEW_FETCH(bits, type, fetch_sub, old - value) \
    CLEW_FETCH(bits, type, fetch_and, old & value) \
    CLEW_FETCH(bits, type, fetch_or, old | value) \
    CLEW_FETCH(bits, type, fetch_xor, old ^ value) \
    CLEW_FETCH(bits, type, fetch_nand, ~(old & value)) \
    CLEW_COMPARE(bits, type, compare_exchange_strong) \
    CLEW_COMPARE(bits, type, compare_exchange_weak)
CLEW_ATOMIC(8, unsigned char)
CLEW_ATOMIC(16, unsigned short)
CLEW_ATOMIC(32, unsigned int)
CLEW_ATOMIC(64, unsigned long)
CLEW_HOOK void __tsan_atomic_thread_fence(int order) { (void)order; }
CLEW_HOOK void __tsan_atomic_signal_fence(int order) { (void)order; }

/* Clang calls these for larger pieces of memory. */
CLEW_HOOK void *__tsan_memcpy(void *to, const void *from, unsigned long size) { return __builtin_memcpy(to, from, size); }
CLEW_HOOK void *__tsan_memmove(void *to, const void *from, unsigned long size) { return __builtin_memmove(to, from, size); }
CLEW_HOOK void *__tsan_memset(void *to, int byte, unsigned long size) { return __builtin_memset(to, byte, size); }
