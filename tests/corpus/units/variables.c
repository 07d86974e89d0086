/* Static, extern and thread-local variables as inputs and outputs. */
extern int limit;
extern const char *program_name;
static int calls;
static int history[4];
int level = 3;
_Thread_local int per_thread;

int tick(void) {
    static int phase;
    phase = (phase + 1) % 4;
    if (phase == 0)
        return 1;
    return 0;
}

int counted(int x) {
    if (++calls > 5)
        return -1;
    if (x > limit)
        return 1;
    return level == 4 ? 2 : 0;
}

int remember(int value) {
    for (int i = 3; i > 0; i--)
        history[i] = history[i - 1];
    history[0] = value;
    return history[3] == value && value != 0;
}

int named(void) {
    return program_name && program_name[0] == '/';
}

int local_to_thread(void) {
    return per_thread == 77;
}
