/* Many tests in one process, one after the other, whose memory is put back between them.
 *
 * A page of writable memory is read-only until a test writes to it. The fault is caught: the page is copied, made
 * writable, and put back from its copy after this test and every later one. So a test finds data, heap, stack and the
 * C library's variables as a process of its own would have found them, byte for byte and at the same addresses. The
 * program break and the floating-point environment are put back, too.
 *
 * What memory does not hold cannot be put back. A filter of system calls lets a test do nothing but move the program
 * break: the process of a test that opens a file, starts a thread, sets a handler, prints or exits is killed, and all
 * tests of the group are run again in processes of their own. The same happens when a test crashes, takes too long or
 * writes to memory that belongs to the server. Only results that were all there when the process ended by itself count.
 *
 * Only for machines whose system calls and faults are known here. */

static void run_alone(unsigned char *request);

#ifdef __x86_64__

enum { MOST_REGIONS = 4096, MOST_PAGES = 2048, MAPS_BYTES = 1 << 20, SIGNAL_STACK_BYTES = 1 << 16 };
enum { MOST_FAILURES = 2, MOST_STACK = 1 << 26 };
enum { WRITE_FAULT = 2, SEGMENT_PROTECTED = 2 }; /* a bit of the error code; a code of the signal */

struct region {
    unsigned char *start, *end;
};

/* What the process knows of its memory. Tests cannot write here. */
struct control {
    unsigned char *lowest_stack; /* the stack may grow down to here */
    uint32_t region_count, page_count;
    struct region regions[MOST_REGIONS];
    unsigned char *pages[MOST_PAGES]; /* those that are put back */
    unsigned char maps[MAPS_BYTES];
};

static struct control *control;
static unsigned char *copies; /* of the pages, in the order of their addresses in `control` */
static unsigned char *signal_stack, *results;
static uint32_t failures; /* groups that were lost */

/* The process's own system calls, which the filter knows by the address they return to. */
long __clew_own_call(long number, long a, long b, long c);
extern const char __clew_own_return[];
__asm__(".text\n"
        "__clew_own_call:\n\t"
        "movq %rdi, %rax\n\tmovq %rsi, %rdi\n\tmovq %rdx, %rsi\n\tmovq %rcx, %rdx\n\t"
        "syscall\n"
        "__clew_own_return:\n\t"
        "ret\n");

static void leave(int status) {
    for (;;)
        __clew_own_call(SYS_exit_group, status, 0, 0);
}

static void protect(const void *start, const void *end, int how) {
    if (start < end && __clew_own_call(SYS_mprotect, (long)start, (char *)end - (char *)start, how))
        leave(1);
}

/* Where the system writes which processor a thread runs on, whenever it likes. */
extern const ptrdiff_t __rseq_offset __attribute__((weak));
enum { RSEQ_BYTES = 32 };

static unsigned char *rseq_area(void) {
    unsigned char *thread;
    __asm__("movq %%fs:0, %0" : "=r"(thread));
    return &__rseq_offset ? thread + __rseq_offset : NULL;
}

/* The memory of the process. */

static void add_region(unsigned char *start, unsigned char *end) {
    if (start >= end)
        return;
    if (control->region_count == MOST_REGIONS)
        leave(1);
    control->regions[control->region_count++] = (struct region){start, end};
}

/* Adds a mapping to the regions, but for what belongs to the server; the stack only below where tests begin. */
static void add_mapping(unsigned char *start, unsigned char *end) {
    if (start <= test_stack && test_stack < end) {
        struct rlimit stack;
        int is_known = !getrlimit(RLIMIT_STACK, &stack) && stack.rlim_cur < MOST_STACK;
        add_region(start, test_stack);
        control->lowest_stack = test_stack - (is_known ? stack.rlim_cur : MOST_STACK);
        return;
    }
    const struct region own[] = {
        {(unsigned char *)control, copies + MOST_PAGES * page},
        {signal_stack, signal_stack + SIGNAL_STACK_BYTES},
        {incoming, incoming + incoming_capacity},
        {working, working + incoming_capacity},
        {results, results + whole_pages(settings.file_bytes)},
    };
    for (uint32_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (own[i].end <= start || end <= own[i].start)
            continue;
        if (start < own[i].start)
            add_mapping(start, own[i].start);
        if (own[i].end < end)
            add_mapping(own[i].end, end);
        return;
    }
    add_region(start, end);
}

static const unsigned char *read_number(const unsigned char *at, uintptr_t *number) {
    for (*number = 0;; at++) {
        if (*at >= '0' && *at <= '9')
            *number = *number << 4 | (uintptr_t)(*at - '0');
        else if (*at >= 'a' && *at <= 'f')
            *number = *number << 4 | (uintptr_t)(*at - 'a' + 10);
        else
            return at;
    }
}

/* Lists the memory that is private and writable. */
static void find_regions(void) {
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    uint64_t used = 0;
    for (ssize_t got; (got = read(fd, control->maps + used, MAPS_BYTES - 1 - used)) > 0;)
        used += (uint64_t)got;
    close(fd);
    if (fd < 0 || used == 0 || used == MAPS_BYTES - 1)
        leave(1);
    for (const unsigned char *at = control->maps; *at; at++) {
        uintptr_t start, end;
        at = read_number(at, &start);
        at = read_number(at + 1, &end);
        if (at[2] == 'w' && at[4] == 'p')
            add_mapping((unsigned char *)start, (unsigned char *)end);
        while (*at != '\n')
            at++;
    }
}

static int is_tracked(const unsigned char *at) {
    for (uint32_t i = 0; i < control->region_count; i++)
        if (control->regions[i].start <= at && at < control->regions[i].end)
            return 1;
    /* The stack has grown, and what it grew by is read-only as the rest. */
    return control->lowest_stack <= at && at < test_stack;
}

/* Has a page put back after each test from now on. */
static void add_page(unsigned char *at) {
    protect(control, copies + MOST_PAGES * page, PROT_READ | PROT_WRITE);
    if (control->page_count == MOST_PAGES)
        leave(1);
    memcpy(copies + control->page_count * page, at, page);
    control->pages[control->page_count++] = at;
    protect(control, copies + MOST_PAGES * page, PROT_READ);
    protect(at, at + page, PROT_READ | PROT_WRITE);
}

static void on_fault(int signal, siginfo_t *info, void *context) {
    ucontext_t *state = context;
    unsigned char *at = (unsigned char *)((uintptr_t)info->si_addr & ~(page - 1));
    (void)signal;
    if (info->si_code != SEGMENT_PROTECTED || !(state->uc_mcontext.gregs[REG_ERR] & WRITE_FAULT) || !is_tracked(at))
        leave(1);
    add_page(at);
}

/* Protects what is put back, so that the first write to each page is seen. */
static void watch_memory(void) {
    unsigned char *rseq = (unsigned char *)((uintptr_t)rseq_area() & ~(page - 1));
    protect(incoming, incoming + incoming_capacity, PROT_READ);
    protect(test_stack, test_stack + page, PROT_NONE);
    for (uint32_t i = 0; i < control->region_count; i++) {
        const struct region *region = &control->regions[i];
        int has_rseq = region->start <= rseq && rseq < region->end;
        protect(region->start, has_rseq ? rseq : region->end, PROT_READ);
        if (has_rseq)
            protect(rseq + page, region->end, PROT_READ);
    }
    if (rseq)
        add_page(rseq);
}

static void put_memory_back(long program_break) {
    unsigned char *rseq = rseq_area();
    for (uint32_t i = 0; i < control->page_count; i++) {
        unsigned char *at = control->pages[i];
        const unsigned char *copy = copies + i * page;
        if (!rseq || rseq < at || at + page <= rseq) {
            memcpy(at, copy, page);
            continue;
        }
        uint64_t before = (uint64_t)(rseq - at);
        memcpy(at, copy, before);
        if (before + RSEQ_BYTES < page)
            memcpy(rseq + RSEQ_BYTES, copy + before + RSEQ_BYTES, page - before - RSEQ_BYTES);
    }
    if (__clew_own_call(SYS_brk, 0, 0, 0) < program_break ||
        __clew_own_call(SYS_brk, program_break, 0, 0) != program_break)
        leave(1);
}

/* System calls. */

static void forbid_calls(void) {
    uint64_t own = (uintptr_t)__clew_own_return;
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 0, 8),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)own, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(own >> 32), 3, 0),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_brk, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigreturn, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        leave(1);
}

static void catch_faults(void) {
    stack_t stack = {.ss_sp = signal_stack, .ss_size = SIGNAL_STACK_BYTES};
    struct sigaction action = {0};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    if (sigaltstack(&stack, NULL) || sigaction(SIGSEGV, &action, NULL))
        leave(1);
}

/* The process. */

/* Writes down what a test gave; 0 if there is no room left. */
static int keep_result(uint64_t *used) {
    struct response response = describe(1, 0);
    response.shared = 1;
    struct iovec parts[] = {
        {&response, sizeof response},
        {trace, response.trace_words * sizeof *trace},
        {reply, response.reply_bytes},
    };
    uint64_t size = parts[0].iov_len + parts[1].iov_len + parts[2].iov_len;
    if (size > settings.file_bytes - *used)
        return 0;
    if (__clew_own_call(SYS_writev, result_fd, (long)parts, 3) != (long)size)
        leave(1);
    *used += size;
    return 1;
}

/* The clock, asked by a call of the process's own: where the C library needs one, the filter does not let it. */
static uint64_t own_milliseconds(void) {
    struct timespec now = {0};
    __clew_own_call(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&now, 0);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Runs tests until all are done or a good part of their time has passed. */
static void run_here(const unsigned char *request, uint32_t count) {
    jmp_buf place;
    fenv_t floats;
    uint64_t start = own_milliseconds();
    volatile uint64_t used = 0;
    const unsigned char *volatile next = request;
    volatile uint32_t left = count;
    become_child();
    roam();
    runner = &place;
    fegetenv(&floats);
    find_regions();
    catch_faults();
    forbid_calls();
    long program_break = __clew_own_call(SYS_brk, 0, 0, 0);
    watch_memory();
    for (; left; left--) {
        uint64_t total = used;
        take(next);
        if (!_setjmp(place))
            call_on(test_stack, run_test);
        if (!keep_result(&total))
            break;
        used = total;
        put_memory_back(program_break);
        memset(shared, 0, sizeof *shared);
        fesetenv(&floats);
        next = following(next);
        if (own_milliseconds() - start > ((const struct request *)request)->cpu_milliseconds / 2)
            break;
    }
    leave(0);
}

/* The server's part. */

static void prepare_together(void) {
    uint64_t control_bytes = whole_pages(sizeof *control);
    control = map_memory(control_bytes + MOST_PAGES * page);
    copies = (unsigned char *)control + control_bytes;
    signal_stack = map_memory(SIGNAL_STACK_BYTES);
    results = map_memory(whole_pages(settings.file_bytes));
}

/* Hands on what the process wrote down; gives the number of tests. */
static uint32_t hand_on(void) {
    off_t size = lseek(result_fd, 0, SEEK_END);
    uint64_t used = size > 0 && pread(result_fd, results, (size_t)size, 0) == size ? (uint64_t)size : 0;
    uint32_t count = 0;
    for (uint64_t at = 0; at < used; count++) {
        const struct response *response = (const struct response *)(results + at);
        at += sizeof *response + response->trace_words * sizeof *trace + response->reply_bytes;
    }
    send_part(results, used);
    return count;
}

/* How many of the requests can share a process: those whose objects lie where they always lie. */
static uint32_t sharing(unsigned char *request, uint32_t count) {
    uint32_t number = 0;
    for (; number < count && failures < MOST_FAILURES; number++, request = following(request)) {
        struct test test = cut_test(request);
        if (!settings.heap_objects)
            grow_slots(at_most(test.head.objects, MOST_GUARDED));
        if (!fits_slots(test.object_blocks, test.head.objects))
            break;
    }
    return number;
}

/* Runs requests in one process; gives the number of those that were answered, which is 0 if the process was lost. */
static uint32_t run_together(unsigned char *request, uint32_t count) {
    int status = 0;
    memset(shared, 0, sizeof *shared);
    if (ftruncate(result_fd, 0) || lseek(result_fd, 0, SEEK_SET))
        return 0;
    pid_t child = _Fork ? _Fork() : fork();
    if (child == 0)
        run_here(request, count);
    if (child < 0)
        return 0;
    int ended = await_child(child, ((struct request *)request)->cpu_milliseconds, &status);
    sweep(child);
    clear_files();
    uint32_t answered = ended && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? hand_on() : 0;
    failures += answered == 0;
    return answered;
}

#else

static void prepare_together(void) {}

static uint32_t sharing(unsigned char *request, uint32_t count) {
    (void)request, (void)count;
    return 0;
}

static uint32_t run_together(unsigned char *request, uint32_t count) {
    (void)request, (void)count;
    return 0;
}

#endif

/* Runs the requests of a group: together where that is possible, all others alone. */
static void run_group(unsigned char *request, uint32_t count) {
    while (count) {
        uint32_t together = count > 1 ? sharing(request, count) : 0;
        uint32_t answered = together > 1 ? run_together(request, together) : 0;
        for (uint32_t i = 0; i < answered; i++)
            request = following(request);
        count -= answered;
        if (answered)
            continue;
        /* The whole of what was lost, or the one that cannot share. */
        for (uint32_t i = 0; i < (together ? together : 1); i++, count--, request = following(request))
            run_alone(request);
    }
}
