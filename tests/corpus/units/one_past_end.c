/* Pointers just behind an object, compared with the beginning of another one. */
struct stack {
    int *start, *top;
};

struct event {
    int kind;
};

int next(struct event *event);

int pop(struct stack *stack) {
    struct event event;
    if (!next(&event))
        return -1;
    if (event.kind != 3)
        return -2;
    if (stack->start == stack->top)
        return -3;
    return *--stack->top == 1 ? 1 : 0;
}

int last(const short *from, const short *to) {
    if (from == to)
        return 0;
    return to[-1] > 7 ? 1 : 2;
}
