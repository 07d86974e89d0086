/* Enumerations: state machines, negative and wide values, flags. */
enum state { IDLE, RUNNING = 10, STOPPED, FAULT = -1 };
enum flags { READ = 1, WRITE = 2, EXECUTE = 4 };
enum big { SMALL = 1, HUGE_VALUE = 0x7fffffff };

enum state next(enum state s, char event) {
    switch (s) {
    case IDLE:
        return event == 's' ? RUNNING : IDLE;
    case RUNNING:
        if (event == 'x')
            return STOPPED;
        if (event == '!')
            return FAULT;
        return RUNNING;
    case STOPPED:
        return event == 'r' ? IDLE : STOPPED;
    case FAULT:
        return FAULT;
    }
    return FAULT;
}

int allowed(enum flags have, enum flags want) {
    if ((want & EXECUTE) && (want & WRITE))
        return 0;
    return (have & want) == want;
}

int is_huge(enum big b) {
    return b == HUGE_VALUE;
}
