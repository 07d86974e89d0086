/* What is defined elsewhere may hold anything, constants included; pointers of the input lead into the middle of arrays. */
extern const unsigned char classes[];
extern const int limit;
struct opaque;
struct known {
    int x;
};
struct handle {
    struct opaque *state;
};
struct stack {
    int *top;
};

int in_class(unsigned char c) {
    if (classes[c] & 4)
        return 1;
    return 0;
}

int below(int x) {
    if (x < limit)
        return 1;
    return 0;
}

int scoped(void) {
    extern int hidden;
    if (hidden == 3)
        return 1;
    return 0;
}

int pop(struct stack *s) {
    if (s->top[-1] == 5)
        return 1;
    return 0;
}

int falls(const int *p) {
    if (p[-2] > p[0])
        return 1;
    return 0;
}

int inside(struct handle *h) {
    struct known *state = (struct known *)h->state;
    if (state->x == 9)
        return 1;
    return 0;
}

struct machine {
    int *top;
    struct frame {
        int *first;
    } *frame;
};

/* There is a test although nothing is to be covered, and the pointers must lead into one array. */
long depth(struct machine *m) {
    return m->top - (m->frame->first + 1);
}
