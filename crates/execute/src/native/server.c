/* The fork server: runs tests under limits, each in a process of its own or many in one (together.h).
 *
 * It loads the instrumented units, which are a library, so that neither side sees what the other defines: a program
 * under test keeps its own `main`, `malloc` or `read`. It reads requests from standard input and answers on standard
 * output, in the layout of protocol.rs (native byte order, packed).
 *
 * Three processes: the outer one only waits; the inner one is the first process of its own process, network and user
 * namespaces where the system allows, loads the library, and forks children that run tests. What a child leaves behind is
 * killed before the next one is started. Where namespaces are refused, process groups, a subreaper, a filter of system calls and limits do
 * the same less tightly.
 *
 * A child can write into the memory it shares with the server, so every length found there is checked. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <limits.h>
#include <link.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What the library gives: the harness appended to its first unit. */
static void (*call_function)(unsigned function, unsigned char **arguments);
static void *(*address_of)(unsigned symbol);
static void *(*allocate)(unsigned long size) = malloc; /* the library's own, if it has one */

/* The settings, in the order of protocol.rs, first thing on standard input. */
struct settings {
    uint64_t memory_bytes; /* 0: no limit */
    uint64_t file_bytes;
    uint64_t processes;
    uint64_t trace_words;
    uint64_t reply_bytes;
    uint64_t output_bytes;
    uint64_t heap_objects; /* objects come from malloc and may be freed */
    uint64_t function;     /* number of the function under test */
    uint64_t observed;     /* number of observed globals; that many symbols and sizes follow */
    uint64_t library;      /* length of the path of the library, which comes last */
};

struct request {
    uint32_t bytes; /* of what follows this head */
    uint32_t arguments;
    uint32_t globals;
    uint32_t objects;
    uint32_t patches;
    uint32_t stubs;
    uint32_t group; /* in the first of several requests that may share a process: their number; otherwise 1 */
    uint32_t cpu_milliseconds; /* processor time that the test has; four times as much may pass on the clock */
};

struct patch {
    uint32_t place; /* 0 argument, 1 global, 2 object, 3 stub result */
    uint32_t index;
    uint64_t at;
    uint32_t target; /* 0 object, 1 symbol */
    uint32_t target_index;
    int64_t offset;
};

#define ORDERED 256 /* an object that has to lie after those before it, and thus not in the heap */

struct block {
    uint64_t size;
    uint32_t symbol;
    uint32_t part; /* of an argument: the number of the call that is given it, the observed call is the last one;
                      of a stub's call: 0 its result, n + 1 what it writes through argument n;
                      of an object: 0 it may lie anywhere, n + 1 its address is n modulo 16, and ORDERED */
};

struct response {
    uint32_t ending; /* 0 returned, 1 exited, 2 signalled, 3 timed out, 4 refused, 5 stopped by a stub */
    int32_t code;
    uint32_t truncated;
    uint32_t trace_words;
    uint32_t result_bytes;
    uint32_t shared; /* whether other tests ran in the same process */
    uint64_t reply_bytes;
    uint64_t output_bytes;
};

/* Shared between server and child. */
struct shared {
    volatile uint32_t returned;
    volatile uint32_t truncated;
    volatile uint32_t trace_words;
    volatile uint32_t result_bytes;
    volatile uint64_t reply_bytes;
    volatile uint32_t plain_from; /* the trace is words as they came from here on */
    volatile uint32_t period;     /* words that come again and again at its end; 0: they do not */
    volatile uint32_t phase;      /* how many of them have come once more */
    volatile uint64_t repeated;   /* how many words have come so in all */
    volatile uint64_t starts;     /* of the last words, from the lowest bit backwards: those that begin what a probe wrote */
};

enum { MOST_GUARDED = 1024 };
enum { FIRST_INCOMING = 1 << 21 }; /* bytes for requests; more where one needs it */
enum { OWN_ROOM = 1 << 24 };       /* what else the server takes, about */
enum { OWN_STACK = 16 };           /* pages of stack for the server's functions, above that of tests */

static struct settings settings;
static struct block *observed;
static struct shared *shared;
static uint32_t *trace;
static unsigned char *reply;
static int request_fd, response_fd, output_fd, result_fd;
static int own_namespace;
static uint64_t page;

/* The requests of a group, each with its head, and a copy of the one that is run: tests change it. */
static unsigned char *incoming, *working;
static uint64_t incoming_capacity, incoming_bytes;

static unsigned char *captured; /* room for the output of a test */

/* What was read ahead, and the responses that wait until there is nothing left to do: a pipe used for each test would
 * wake the other side each time. */
enum { READ_AHEAD = 1 << 16, HELD_BACK = 1 << 18 };
static unsigned char ahead[READ_AHEAD];
static uint64_t ahead_at, ahead_end;
static unsigned char *held;
static uint64_t held_bytes;

static cpu_set_t processors; /* those the server may use; none: not known */

static unsigned char *slots; /* guarded places for small objects */
static uint64_t slot_count;  /* those that can be accessed */

static unsigned char *test_stack; /* where the stack of every test begins */
static jmp_buf *runner;           /* where a test returns to that shares its process; none: its process ends with it */

/* Probes. */

/* A trace that has become so long is compressed: words that have come twice in a row, at most so many, and come again are
 * counted behind a mark, which no probe is. */
#define LONG_TRACE (1u << 16)
#define LONGEST_PERIOD 64u
#define REPEAT 0xffffffffu
#define REPEAT_WORDS 4u /* the mark, the number of words that are repeated, and how many follow, in two words */

/* Counts words that come again; says whether they do. */
static int comes_again(const uint32_t *words, uint32_t count) {
    uint32_t used = shared->trace_words, period = shared->period, phase = shared->phase;
    const uint32_t *again = trace + used - REPEAT_WORDS - period;
    for (uint32_t i = 0; i < count; i++) {
        if (again[phase] != words[i]) {
            shared->period = 0;
            shared->plain_from = used;
            return 0;
        }
        phase = phase + 1 == period ? 0 : phase + 1;
    }
    shared->phase = phase;
    shared->repeated += count;
    trace[used - 2] = (uint32_t)shared->repeated;
    trace[used - 1] = (uint32_t)(shared->repeated >> 32);
    return 1;
}

/* Marks the end of a trace that has come twice in a row, if it has: what probes wrote as a whole, not the zeros in a value. */
static void look_for_period(void) {
    uint32_t used = shared->trace_words, plain = used - shared->plain_from;
    for (uint32_t period = 1; period <= LONGEST_PERIOD && 2 * period <= plain; period++) {
        if (!(shared->starts >> (period - 1) & 1)) continue;
        uint32_t same = 0;
        while (same < period && trace[used - 1 - same] == trace[used - 1 - same - period]) same++;
        if (same == period && used + REPEAT_WORDS <= settings.trace_words) {
            trace[used] = REPEAT;
            trace[used + 1] = period;
            trace[used + 2] = trace[used + 3] = 0;
            shared->trace_words = used + REPEAT_WORDS;
            shared->phase = 0;
            shared->repeated = 0;
            shared->period = period;
            return;
        }
    }
}

static void record(const uint32_t *words, uint32_t count) {
    uint32_t used = shared->trace_words;
    if (shared->period && comes_again(words, count)) return;
    if (used + (uint64_t)count > settings.trace_words) {
        shared->trace_words = (uint32_t)settings.trace_words;
        shared->truncated = 1;
        return;
    }
    for (uint32_t i = 0; i < count; i++) trace[used + i] = words[i];
    shared->trace_words = used + count;
    shared->starts = shared->starts << count | 1ull << (count - 1);
    if (used >= LONG_TRACE) look_for_period();
}

int __clew_condition(unsigned probe, int outcome) {
    uint32_t word = probe << 1 | (outcome != 0);
    record(&word, 1);
    return outcome;
}

void __clew_switch(unsigned probe, unsigned long long low, unsigned long long high) {
    uint32_t words[] = {probe << 1, (uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high, (uint32_t)(high >> 32)};
    record(words, 5);
}

/* What the test gives back. */

static void give(const void *from, uint64_t size) {
    const unsigned char *bytes = from;
    uint64_t used = shared->reply_bytes;
    if (size > settings.reply_bytes - used) {
        settings.reply_bytes = used; /* what follows would be taken for what is missing */
        return;
    }
    for (uint64_t i = 0; i < size; i++)
        reply[used + i] = bytes[i];
    shared->reply_bytes = used + size;
}

static void give_address(const void *place) {
    uint64_t address = (uintptr_t)place;
    give(&address, sizeof address);
}

void __clew_result(const void *from, unsigned long size) {
    give(from, size);
    shared->result_bytes = (uint32_t)size;
}

/* What stubs were called with: their numbers, each followed by its arguments. */
static unsigned char noted[1 << 14];
static uint64_t noted_bytes;

void __clew_note(const void *from, unsigned long size) {
    if (size > sizeof noted - noted_bytes)
        noted_bytes = sizeof noted; /* nothing after what is missing */
    if (noted_bytes == sizeof noted)
        return;
    memcpy(noted + noted_bytes, from, size);
    noted_bytes += size;
}

/* Functions without a body take their results from the request, call by call. */

static uint32_t stub_count;
static struct block *stub_blocks;
static unsigned char **stub_bytes;

#define VARIABLE UINT32_MAX /* the part of a stub that is a place, and the bytes it then holds */

/* The result of the next call of a stub, after writing what it writes. */
const void *__clew_stub(unsigned symbol, unsigned long size, void **arguments, unsigned count) {
    for (uint32_t i = 0; i < stub_count; i++) {
        if (stub_blocks[i].symbol != symbol || stub_blocks[i].part != 0)
            continue;
        stub_blocks[i].symbol = UINT32_MAX;
        for (uint32_t j = i + 1; j < stub_count && stub_blocks[j].part != 0; j++) {
            if (stub_blocks[j].part == VARIABLE) {
                void *at;
                memcpy(&at, stub_bytes[j], sizeof at);
                memcpy(at, stub_bytes[j] + sizeof at, stub_blocks[j].size - sizeof at);
            } else if (stub_blocks[j].part <= count)
                memcpy(arguments[stub_blocks[j].part - 1], stub_bytes[j], stub_blocks[j].size);
        }
        if (stub_blocks[i].size == size)
            return stub_bytes[i];
        break;
    }
    unsigned char *zeros = calloc(1, size ? size : 1);
    return zeros ? zeros : (unsigned char *)"";
}

#define READING (UINT32_MAX - 1) /* the number of a stub of which the result is a place, and the bytes it then holds */

/* Puts into volatile memory what its next reading gives, if the request says so. */
void __clew_reading(void *place, unsigned long size) {
    for (uint32_t i = 0; i < stub_count; i++) {
        struct block *block = &stub_blocks[i];
        void *at;
        if (block->symbol != READING || block->size != sizeof at + size)
            continue;
        memcpy(&at, stub_bytes[i], sizeof at);
        if (at != place)
            continue;
        block->symbol = UINT32_MAX;
        memcpy(place, stub_bytes[i] + sizeof at, size);
        return;
    }
}

/* Objects. */

#define BEYOND (1 << 20) /* bytes after all objects that cannot be accessed */
#define GAP (16 * page)  /* after each: what a pointer comes to that runs on for a while is no other object */
#define STRIDE (page + GAP)

/* Reserves the slots: they lie where they lie for every test. */
static void reserve_slots(void) {
    slots = mmap(NULL, MOST_GUARDED * STRIDE + BEYOND, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (slots == MAP_FAILED)
        _exit(71);
}

static void grow_slots(uint64_t count) {
    for (; slot_count < count; slot_count++)
        mprotect(slots + slot_count * STRIDE, page, PROT_READ | PROT_WRITE);
}

static unsigned char *next_place; /* where the next object goes if they do not all fit into slots */
static uint64_t gap;              /* after each of them; smaller where there are many */

/* What the address of an object is modulo 16. */
static uint64_t residue_of(const struct block *block) {
    uint32_t part = block->part & ~ORDERED;
    return part ? part - 1 : 0;
}

/* The bytes that an object takes up to the end of its page. */
static uint64_t padded(const struct block *block) {
    int anywhere = (block->part & ~ORDERED) == 0;
    return anywhere ? block->size : block->size + (16 - (block->size + residue_of(block)) % 16) % 16;
}

static int is_in_heap(const struct block *block) {
    return settings.heap_objects && !(block->part & ORDERED);
}

static uint64_t whole_pages(uint64_t size) {
    return (size + page - 1) / page * page;
}

/* Whether every object has its slot, or its place in the heap. */
static int fits_slots(const struct block *blocks, uint32_t count) {
    int fits = 1, needed = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (is_in_heap(&blocks[i]))
            continue;
        needed = 1;
        fits = fits && padded(&blocks[i]) <= page;
    }
    return !needed || (fits && count <= slot_count);
}

/* Prepares places for objects. They lie in ascending order, but for those from the heap. */
static int reserve_room(const struct block *blocks, uint32_t count) {
    uint64_t whole = 0;
    gap = count <= MOST_GUARDED ? GAP : page;
    if (fits_slots(blocks, count))
        return 1;
    for (uint32_t i = 0; i < count; i++)
        if (!is_in_heap(&blocks[i]))
            whole += whole_pages(padded(&blocks[i])) + gap;
    next_place = mmap(NULL, whole + BEYOND, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return next_place != MAP_FAILED;
}

/* Room behind an object from the heap. Sanitizers watch what is there; an allocator of the program's own may be small. */
extern void __asan_init(void) __attribute__((weak));
static uint64_t heap_gap(void) {
    return allocate == malloc && !__asan_init ? gap : 0;
}

/* A place whose end borders on memory that cannot be accessed, as far as a wanted address allows. Sizes are multiples of
   alignments, and so are pages. */
static unsigned char *place_object(uint32_t index, const struct block *block) {
    uint64_t residue = residue_of(block);
    if (is_in_heap(block))
        return (unsigned char *)allocate(block->size + residue + heap_gap()) + residue;
    if (!next_place)
        return slots + index * STRIDE + (page - padded(block));
    uint64_t whole = whole_pages(padded(block));
    if (whole && mprotect(next_place, whole, PROT_READ | PROT_WRITE))
        return NULL;
    next_place += whole + gap;
    return next_place - gap - padded(block);
}

/* Processors. */

/* A child on another processor would have to be woken there, and then wake the server here: both take longer than many a
 * test. So the server stays where it is while it has tests to run; the tests themselves may go anywhere. */
static void roam(void) {
    if (CPU_COUNT(&processors))
        sched_setaffinity(0, sizeof processors, &processors);
}

static void stay(void) {
    cpu_set_t here;
    int processor = sched_getcpu();
    if (processor < 0 || processor >= CPU_SETSIZE)
        return;
    CPU_ZERO(&here);
    CPU_SET(processor, &here);
    if (CPU_COUNT(&processors))
        sched_setaffinity(0, sizeof here, &here);
}

/* The child. */

struct test {
    struct request head;
    struct block *argument_blocks, *global_blocks, *object_blocks;
    unsigned char **arguments, **globals, **objects;
    struct patch *patches;
};

static void refuse(void) {
    shared->returned = 2;
    _exit(72);
}

static void apply_patch(struct test *test, const struct patch *patch) {
    unsigned char **places[] = {test->arguments, test->globals, test->objects, stub_bytes};
    unsigned char *target = patch->target == 0 ? test->objects[patch->target_index]
                                               : (unsigned char *)address_of(patch->target_index);
    if (!target)
        refuse();
    target += patch->offset;
    memcpy(places[patch->place][patch->index] + patch->at, &target, sizeof target);
}

static void set_up(struct test *test) {
    if (!reserve_room(test->object_blocks, test->head.objects))
        refuse();
    for (uint32_t i = 0; i < test->head.objects; i++) {
        unsigned char *place = place_object(i, &test->object_blocks[i]);
        if (!place)
            refuse();
        memcpy(place, test->objects[i], test->object_blocks[i].size);
        test->objects[i] = place;
    }
    for (uint32_t i = 0; i < test->head.globals; i++) {
        unsigned char *place = address_of(test->global_blocks[i].symbol);
        if (!place)
            refuse();
        memcpy(place, test->globals[i], test->global_blocks[i].size);
        test->globals[i] = place;
    }
    for (uint32_t i = 0; i < test->head.patches; i++)
        apply_patch(test, &test->patches[i]);
}

/* Without namespaces: no signal to every process or to the server, no network. */
static void filter_calls(void) {
    uint32_t server = (uint32_t)getppid();
    uint32_t low_half = (uint32_t)offsetof(struct seccomp_data, args[0]);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    low_half += 4;
#endif
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_kill, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, low_half),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, UINT32_MAX, 6, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, server, 5, 4),
#ifdef SYS_socket
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 3),
#else
        BPF_STMT(BPF_JMP | BPF_JA, 3),
#endif
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, low_half),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static struct test *running;

/* The end of a test: 1 the function returned, 3 a stub stopped it. */
static void finish(uint32_t how) {
    shared->returned = how;
    for (uint32_t i = 0; i < running->head.objects; i++)
        give(running->objects[i], running->object_blocks[i].size);
    for (uint64_t i = 0; i < settings.observed; i++)
        give(address_of(observed[i].symbol), observed[i].size);
    for (uint32_t i = 0; i < running->head.objects; i++)
        give_address(running->objects[i]);
    for (uint64_t i = 0; i < settings.observed; i++)
        give_address(address_of(observed[i].symbol));
    give(noted, noted_bytes);
    fflush(NULL);
    if (runner)
        longjmp(*runner, 1);
    _exit(0);
}

/* Stands for what a function that does not return does. */
void __clew_stop(void) {
    finish(3);
}

/* Calls the function as often as there are arguments for. What earlier calls returned is not given back. */
static void call_all(const struct test *test) {
    const struct block *blocks = test->argument_blocks;
    uint32_t first = 0;
    for (uint32_t i = 1; i <= test->head.arguments; i++) {
        if (i < test->head.arguments && blocks[i].part == blocks[first].part)
            continue;
        shared->reply_bytes = shared->result_bytes = 0;
        call_function((unsigned)settings.function, test->arguments + first);
        first = i;
    }
}

/* Cuts `count` blocks with their bytes off the request. */
static unsigned char *cut(unsigned char *at, uint32_t count, struct block **blocks, unsigned char ***bytes) {
    *blocks = (struct block *)at;
    at += count * sizeof **blocks;
    *bytes = (unsigned char **)at; /* room for the pointers is part of the request */
    at += count * sizeof(uint64_t);
    for (uint32_t i = 0; i < count; i++) {
        (*bytes)[i] = at;
        at += ((*blocks)[i].size + 7) & ~7ull;
    }
    return at;
}

/* The test that a request asks for; the request is changed. */
static struct test cut_test(unsigned char *request) {
    struct test test;
    memcpy(&test.head, request, sizeof test.head);
    unsigned char *at = request + sizeof test.head;
    at = cut(at, test.head.arguments, &test.argument_blocks, &test.arguments);
    at = cut(at, test.head.globals, &test.global_blocks, &test.globals);
    at = cut(at, test.head.objects, &test.object_blocks, &test.objects);
    at = cut(at, test.head.stubs, &stub_blocks, &stub_bytes);
    stub_count = test.head.stubs;
    test.patches = (struct patch *)at;
    return test;
}

/* Runs the test in `working` on its stack; does not return. */
static void run_test(void) {
    static struct test test;
    errno = 0;
    test = cut_test(working);
    set_up(&test);
    running = &test;
    call_all(&test);
    finish(1);
}

/* Copies a request to where tests find it. */
static void take(const unsigned char *request) {
    const struct request *head = (const struct request *)request;
    memcpy(working, request, sizeof *head + head->bytes);
}

#ifdef __x86_64__
static void call_on(unsigned char *stack, void (*function)(void)) {
    __asm__ volatile("movq %%rsp, %%r12\n\tmovq %0, %%rsp\n\tcall *%1\n\tmovq %%r12, %%rsp"
                     : "+r"(stack), "+r"(function)
                     :
                     : "r12", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
}
#else
static void call_on(unsigned char *stack, void (*function)(void)) {
    (void)stack;
    function();
}
#endif

/* What every process that runs tests does first. */
static void become_child(void) {
    setpgid(0, 0); /* not a session: with automatic scheduling groups each one costs milliseconds */
    signal(SIGALRM, SIG_DFL);
    if (!own_namespace)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static void run_child(const unsigned char *request) {
    close(request_fd);
    close(response_fd);
    close(result_fd);
    roam();
    become_child();
    if (!own_namespace)
        filter_calls();
    take(request);
    call_on(test_stack, run_test);
}

/* Waiting for the child, and clearing away what it leaves. */

static void tick(int signal) {
    (void)signal;
}

/* Interrupts the server now and then while it waits for a child. */
static void set_ticking(int on) {
    struct itimerval timer = {{0, on ? 20000 : 0}, {0, on ? 20000 : 0}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

static uint64_t milliseconds(clockid_t clock) {
    struct timespec now;
    if (clock_gettime(clock, &now))
        return 0;
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void kill_children_by_list(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *list = fopen(path, "r");
    int pid;
    if (!list)
        return;
    while (fscanf(list, "%d", &pid) == 1)
        kill(pid, SIGKILL);
    fclose(list);
}

static void kill_all(pid_t child) {
    if (own_namespace) {
        kill(-1, SIGKILL);
    } else {
        kill(-child, SIGKILL);
        kill(child, SIGKILL);
    }
}

static void sweep(pid_t child) {
    for (;;) {
        pid_t ended = waitpid(-1, NULL, WNOHANG);
        if (ended < 0 && errno == ECHILD)
            return;
        if (ended == 0) {
            kill_all(child);
            if (!own_namespace)
                kill_children_by_list();
            waitpid(-1, NULL, 0);
        }
    }
}

/* Whether the child ended by itself; gives its status. */
static int await_child(pid_t child, uint64_t cpu_milliseconds, int *status) {
    uint64_t start = milliseconds(CLOCK_MONOTONIC);
    clockid_t clock;
    int timed_out = 0;
    for (;;) {
        pid_t ended = waitpid(child, status, 0);
        if (ended == child)
            return !timed_out;
        if (ended < 0 && errno != EINTR)
            return 0;
        if (milliseconds(CLOCK_MONOTONIC) - start > cpu_milliseconds * 4 ||
            (!clock_getcpuclockid(child, &clock) && milliseconds(clock) > cpu_milliseconds)) {
            timed_out = 1;
            kill_all(child);
        }
    }
}

/* Empties the directory of the tests, if one of them changed it. */
static void clear_directory(const char *path, int depth) {
    DIR *directory = opendir(path);
    struct dirent *entry;
    if (!directory)
        return;
    while ((entry = readdir(directory))) {
        char name[PATH_MAX];
        struct stat status;
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        if (snprintf(name, sizeof name, "%s/%s", path, entry->d_name) >= (int)sizeof name)
            continue;
        if (!lstat(name, &status) && S_ISDIR(status.st_mode) && depth < 64) {
            chmod(name, 0700);
            clear_directory(name, depth + 1);
            rmdir(name);
        } else {
            unlink(name);
        }
    }
    closedir(directory);
}

static void clear_files(void) {
    static const struct timespec long_ago[2];
    struct stat status;
    if (stat(".", &status) || status.st_mtim.tv_sec == 0)
        return;
    chmod(".", 0700);
    clear_directory(".", 0);
    utimensat(AT_FDCWD, ".", long_ago, 0);
}

/* Requests and responses. */

static void write_all(const void *from, uint64_t size) {
    const unsigned char *bytes = from;
    while (size) {
        ssize_t put = write(response_fd, bytes, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            _exit(0);
        bytes += put;
        size -= (uint64_t)put;
    }
}

static void send_held(void) {
    write_all(held, held_bytes);
    held_bytes = 0;
}

/* Reads ahead; whoever waits for responses gets them first. */
static int refill(void) {
    send_held();
    roam();
    for (;;) {
        ssize_t got = read(request_fd, ahead, sizeof ahead);
        if (got < 0 && errno == EINTR)
            continue;
        stay();
        ahead_at = 0;
        ahead_end = got > 0 ? (uint64_t)got : 0;
        return got > 0;
    }
}

static int read_all(void *to, uint64_t size) {
    unsigned char *bytes = to;
    while (size) {
        if (ahead_at == ahead_end && !refill())
            return 0;
        uint64_t part = ahead_end - ahead_at < size ? ahead_end - ahead_at : size;
        memcpy(bytes, ahead + ahead_at, part);
        ahead_at += part;
        bytes += part;
        size -= part;
    }
    return 1;
}

/* Sends a part of a response, at the latest before the next request is waited for. */
static void send_part(const void *from, uint64_t size) {
    if (size > HELD_BACK - held_bytes)
        send_held();
    if (size > HELD_BACK) {
        write_all(from, size);
        return;
    }
    memcpy(held + held_bytes, from, size);
    held_bytes += size;
}

static uint64_t read_output(unsigned char *to) {
    off_t size = lseek(output_fd, 0, SEEK_END);
    if (size <= 0)
        return 0;
    uint64_t wanted = (uint64_t)size < settings.output_bytes ? (uint64_t)size : settings.output_bytes;
    ssize_t got = pread(output_fd, to, wanted, 0);
    if (ftruncate(output_fd, 0))
        _exit(73);
    return got < 0 ? 0 : (uint64_t)got;
}

static uint64_t at_most(uint64_t value, uint64_t bound) {
    return value < bound ? value : bound;
}

/* How a test ended, and how much it gave. */
static struct response describe(int ended, int status) {
    struct response response = {0};
    if (shared->returned) {
        response.ending = shared->returned == 1 ? 0 : shared->returned == 3 ? 5 : 4;
    } else if (!ended) {
        response.ending = 3;
    } else if (WIFEXITED(status)) {
        response.ending = 1;
        response.code = WEXITSTATUS(status);
    } else {
        response.ending = 2;
        response.code = WTERMSIG(status);
    }
    response.truncated = shared->truncated != 0;
    response.trace_words = (uint32_t)at_most(shared->trace_words, settings.trace_words);
    if (shared->returned == 1 || shared->returned == 3) {
        response.reply_bytes = at_most(shared->reply_bytes, settings.reply_bytes);
        response.result_bytes = (uint32_t)at_most(shared->result_bytes, response.reply_bytes);
    }
    return response;
}

static void respond(int ended, int status) {
    struct response response = describe(ended, status);
    response.output_bytes = read_output(captured);
    send_part(&response, sizeof response);
    send_part(trace, response.trace_words * sizeof *trace);
    send_part(reply, response.reply_bytes);
    send_part(captured, response.output_bytes);
}

/* Memory that takes no room before it is used. */
static void *map_memory(uint64_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        _exit(71);
    return memory;
}

/* Makes room for requests; those read so far stay. */
static void grow_incoming(uint64_t needed) {
    if (needed <= incoming_capacity)
        return;
    uint64_t capacity = whole_pages(needed * 2);
    unsigned char *larger = map_memory(capacity);
    if (incoming) {
        memcpy(larger, incoming, incoming_bytes);
        munmap(incoming, incoming_capacity);
        munmap(working, incoming_capacity);
    }
    incoming = larger;
    incoming_capacity = capacity;
    working = map_memory(capacity);
}

static int read_request(void) {
    struct request head;
    if (!read_all(&head, sizeof head))
        return 0;
    grow_incoming(incoming_bytes + sizeof head + head.bytes);
    memcpy(incoming + incoming_bytes, &head, sizeof head);
    if (!read_all(incoming + incoming_bytes + sizeof head, head.bytes))
        return 0;
    incoming_bytes += sizeof head + head.bytes;
    return 1;
}

/* Reads the requests of a group; gives their number, which is 0 at the end. */
static uint32_t read_group(void) {
    incoming_bytes = 0;
    if (!read_request())
        return 0;
    uint32_t count = ((struct request *)incoming)->group;
    for (uint32_t i = 1; i < count; i++)
        if (!read_request())
            return 0;
    return count ? count : 1;
}

static unsigned char *following(const unsigned char *request) {
    return (unsigned char *)request + sizeof(struct request) + ((const struct request *)request)->bytes;
}

/* `fork` without what it does for other threads, of which there are none. Older C libraries do not have it. */
pid_t _Fork(void) __attribute__((weak));

#include "together.h"

static void run_alone(unsigned char *request) {
    int status = 0, ended = 0;
    memset(shared, 0, sizeof *shared);
    if (!settings.heap_objects)
        grow_slots(at_most(((struct request *)request)->objects, MOST_GUARDED));
    pid_t child = _Fork ? _Fork() : fork();
    if (child == 0)
        run_child(request);
    if (child < 0) {
        shared->returned = 2;
    } else {
        ended = await_child(child, ((struct request *)request)->cpu_milliseconds, &status);
        sweep(child);
        clear_files();
    }
    respond(ended, status);
}

/* Start. */

/* The memory that children and server share, in one piece between inaccessible pages: writing past the end of something
 * else does not reach it. */
static void share(void) {
    uint64_t trace_bytes = (settings.trace_words * sizeof *trace + 7) & ~7ull;
    uint64_t size = sizeof *shared + trace_bytes + settings.reply_bytes;
    uint64_t whole = (size + page - 1) / page * page;
    char *room = mmap(NULL, whole + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        _exit(71);
    void *memory = mmap(room + page, whole, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (memory == MAP_FAILED)
        _exit(71);
    shared = memory;
    trace = (uint32_t *)(shared + 1);
    reply = (unsigned char *)trace + trace_bytes;
}

static void limit(int what, uint64_t most) {
    struct rlimit limit = {most, most};
    setrlimit(what, &limit);
}

static void write_text(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    if (write(fd, text, strlen(text)) < 0) {
        /* Best effort: without the mapping the user is seen as "nobody". */
    }
    close(fd);
}

/* Own namespaces: processes to clear away, no network, processes counted apart. */
static void isolate(void) {
    uid_t user = getuid();
    gid_t group = getgid();
    char map[64];
    int root = geteuid() == 0;
    if (!unshare(CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | (root ? 0 : CLONE_NEWUSER))) {
        own_namespace = 1;
    } else if (unshare(CLONE_NEWNET)) {
        return;
    }
    if (root || !own_namespace)
        return;
    write_text("/proc/self/setgroups", "deny");
    snprintf(map, sizeof map, "%u %u 1", user, user);
    write_text("/proc/self/uid_map", map);
    snprintf(map, sizeof map, "%u %u 1", group, group);
    write_text("/proc/self/gid_map", map);
}

/* Root is bound by no limit on processes, so tests run as a user nobody is. */
static void drop_root(unsigned own_id) {
    uid_t user = 0x70000000u + own_id;
    if (geteuid() != 0)
        return;
    if (fchown(output_fd, user, user) || chown(".", user, user) || setresgid(user, user, user) ||
        setresuid(user, user, user)) {
        if (chown(".", 65534, 65534) || setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534)) {
            /* Best effort: a system that maps no other user keeps us as root. */
        }
    }
}

static uint64_t count_processes(void) {
    DIR *directory = opendir("/proc");
    struct dirent *entry;
    uint64_t count = 0;
    if (!directory)
        return 4096;
    while ((entry = readdir(directory)))
        count += entry->d_name[0] >= '0' && entry->d_name[0] <= '9';
    closedir(directory);
    return count;
}

/* Address space that the server takes besides what tests may have: what is shared, slots, room for requests and copies. */
static uint64_t own_bytes(void) {
    uint64_t given = settings.reply_bytes + settings.trace_words * sizeof *trace + settings.file_bytes;
    return given + MOST_GUARDED * STRIDE + BEYOND + 2 * incoming_capacity + OWN_ROOM;
}

static void set_limits(void) {
    uint64_t others = own_namespace || geteuid() != getuid() ? 4 : count_processes();
    if (settings.memory_bytes)
        limit(RLIMIT_AS, settings.memory_bytes + own_bytes());
    limit(RLIMIT_FSIZE, settings.file_bytes);
    limit(RLIMIT_NPROC, settings.processes + others);
    limit(RLIMIT_CORE, 0);
    prctl(PR_SET_DUMPABLE, 0);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    signal(SIGXFSZ, SIG_IGN);
}

/* Whatever the processes above left open is none of the tests' business. */
static void close_inherited(void) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, 3, ~0U, 0) == 0)
        return;
#endif
    for (int fd = 3; fd < 4096; fd++)
        close(fd);
}

/* Standard streams as the tests see them; the protocol moves to other descriptors. */
static void set_streams(void) {
    close_inherited();
    request_fd = fcntl(0, F_DUPFD_CLOEXEC, 100);
    response_fd = fcntl(1, F_DUPFD_CLOEXEC, 100);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    output_fd = memfd_create("output", MFD_CLOEXEC);
    int results = memfd_create("results", MFD_CLOEXEC);
    result_fd = fcntl(results, F_DUPFD_CLOEXEC, 100);
    close(results);
    if (request_fd < 0 || response_fd < 0 || null < 0 || output_fd < 0 || result_fd < 0)
        _exit(70);
    fcntl(output_fd, F_SETFL, O_APPEND);
    dup2(null, 0);
    dup2(output_fd, 1);
    dup2(output_fd, 2);
    close(null);
}

static void serve(void) {
    struct sigaction action = {0};
    action.sa_handler = tick;
    sigaction(SIGALRM, &action, NULL);
    clear_files();
    for (uint32_t count; (count = read_group());) {
        set_ticking(1);
        run_group(incoming, count);
        set_ticking(0);
    }
    _exit(0);
}

/* The same addresses in every run. */
static void fix_addresses(char **arguments) {
    int current = personality(0xffffffff);
    if (current < 0 || current & ADDR_NO_RANDOMIZE || personality((unsigned)current | ADDR_NO_RANDOMIZE) < 0)
        return;
    if (getenv("CLEW_FIXED_ADDRESSES"))
        return;
    setenv("CLEW_FIXED_ADDRESSES", "1", 1);
    execv("/proc/self/exe", arguments);
}

/* The settings; gives the path of the library. */
static char *read_settings(void) {
    if (!read_all(&settings, sizeof settings))
        _exit(0);
    observed = calloc(settings.observed + 1, sizeof *observed);
    char *library = calloc(settings.library + 1, 1);
    if (!observed || !library || !read_all(observed, settings.observed * sizeof *observed) ||
        !read_all(library, settings.library))
        _exit(71);
    /* Children have no use for it, and need not be given it. */
    held = mmap(NULL, HELD_BACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (held == MAP_FAILED)
        _exit(71);
    madvise(held, HELD_BACK, MADV_DONTFORK);
    captured = map_memory(whole_pages(settings.output_bytes + 1));
    grow_incoming(FIRST_INCOMING / 2);
    reserve_slots();
    prepare_together();
    share();
    return library;
}

/* Says hello: the length of a complaint, and the complaint. */
static void greet(const char *complaint) {
    uint32_t length = complaint ? (uint32_t)strlen(complaint) : 0;
    write_all(&length, sizeof length);
    write_all(complaint, length);
    if (complaint)
        _exit(74);
}

/* Code that comes from files is not part of what a fork copies, so that each child would fault in every page of it anew,
 * unless some page of the segment has become the process's own. */
static int own_code(struct dl_phdr_info *object, size_t size, void *data) {
    (void)size, (void)data;
    if (object->dlpi_addr == getauxval(AT_SYSINFO_EHDR)) /* the kernel's own */
        return 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t start = (object->dlpi_addr + segment->p_vaddr) & ~(page - 1);
        uintptr_t end = object->dlpi_addr + segment->p_vaddr + segment->p_memsz;
        if (segment->p_type != PT_LOAD || segment->p_flags != (PF_R | PF_X))
            continue;
        if (mprotect((void *)start, end - start, PROT_READ | PROT_WRITE | PROT_EXEC))
            continue;
        volatile unsigned char *first = (unsigned char *)start;
        *first = *first;
        mprotect((void *)start, end - start, PROT_READ | PROT_EXEC);
    }
    return 0;
}

/* Loads the units. Children should find all symbols bound; where some are missing, those are looked for when needed. */
static void load(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (!library)
        greet(dlerror());
    *(void **)&call_function = dlsym(library, "__clew_call");
    *(void **)&address_of = dlsym(library, "__clew_address");
    void *own = dlsym(library, "__clew_allocate");
    if (own)
        *(void **)&allocate = own;
    if (!call_function || !address_of)
        greet("the library has no harness");
    if (ftruncate(output_fd, 0)) /* what constructors wrote */
        _exit(73);
    dl_iterate_phdr(own_code, NULL);
    fflush(NULL); /* children find its code where they need it */
    greet(NULL);
}

/* Chooses where the stacks of tests begin, and has the system make the stack as large. */
static void choose_stack(void) {
    uintptr_t here = (uintptr_t)__builtin_frame_address(0) & ~(page - 1);
    test_stack = (unsigned char *)(here - OWN_STACK * page);
    volatile unsigned char *below = test_stack - page;
    *below = 0;
}

/* Waits for the inner process, so that whoever waits for this one knows of all processor time that was used. When nobody
 * can send requests any more, the inner process has a moment to end. */
static int watch_over(pid_t inner, const sigset_t *unblocked) {
    const struct timespec moment = {0, 200000000};
    struct pollfd requests = {request_fd, 0, 0};
    struct sigaction action = {0};
    int status = 0, is_over = 0;
    close(response_fd);
    action.sa_handler = tick;
    sigaction(SIGCHLD, &action, NULL);
    while (waitpid(inner, &status, WNOHANG) == 0) {
        int ready = ppoll(&requests, !is_over, is_over ? &moment : NULL, unblocked);
        if (ready == 0)
            kill(inner, SIGKILL);
        is_over = is_over || ready > 0;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int count, char **arguments) {
    unsigned own_id = (unsigned)getpid() & 0xffffff;
    if (count != 1)
        return 64;
    if (sched_getaffinity(0, sizeof processors, &processors))
        CPU_ZERO(&processors);
    page = (uint64_t)sysconf(_SC_PAGESIZE);
    fix_addresses(arguments);
    unsetenv("CLEW_FIXED_ADDRESSES");
    prctl(PR_SET_NAME, "clew-tests");
    setsid();
    set_streams();
    isolate();
    sigset_t child, before;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &before);
    pid_t inner = fork();
    if (inner != 0)
        return watch_over(inner, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    choose_stack();
    load(read_settings());
    drop_root(own_id);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* changing the user clears it */
    set_limits();
    serve();
    return 0;
}

/* Options of the sanitizers, asked for by them where they are linked. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "exitcode=99:detect_leaks=0:abort_on_error=0:allocator_may_return_null=1:detect_stack_use_after_return=0";
}
const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void) {
    return "exitcode=99:print_stacktrace=0";
}
