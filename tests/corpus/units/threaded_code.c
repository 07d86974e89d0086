//@ options: --effort 4
/* An interpreter whose instructions go to each other by a table of labels: what one does counts when another returns. */

struct frame {
    const unsigned *code;
    int slot[16];
    int hooked;
};

int interpret(struct frame *frame)
{
    static const void *const labels[] = {
        &&move, &&add, &&subtract, &&multiply, &&less, &&equal, &&negate, &&load, &&clear, &&swap,
        &&skip, &&test, &&shift, &&mask, &&join, &&both, &&hook, &&halve, &&count, &&leave,
    };
    const unsigned *next = frame->code;
    int *slot = frame->slot;
    unsigned word;
#define NEXT                                                                                                         \
    do {                                                                                                             \
        word = *next++;                                                                                              \
        goto *labels[(word & 31) % 20];                                                                              \
    } while (0)
#define A slot[word >> 5 & 15]
#define B slot[word >> 9 & 15]
    NEXT;
move:
    A = B;
    NEXT;
add:
    A = (int)((unsigned)A + (unsigned)B);
    NEXT;
subtract:
    A = (int)((unsigned)A - (unsigned)B);
    NEXT;
multiply:
    A = (int)((unsigned)A * (unsigned)B);
    NEXT;
less:
    if (A < B)
        next++;
    NEXT;
equal:
    if (A == B)
        next++;
    NEXT;
negate:
    A = A > 0 ? -A : 0;
    NEXT;
load:
    A = (int)(word >> 9);
    NEXT;
clear:
    A = 0;
    NEXT;
swap:
    if (A > B) {
        int other = A;
        A = B;
        B = other;
    }
    NEXT;
skip:
    next += word >> 9 & 1;
    NEXT;
test:
    if (!A)
        next++;
    NEXT;
shift:
    A = A >> 1;
    NEXT;
mask:
    A = A & 255;
    NEXT;
join:
    A = A | B;
    NEXT;
both:
    if (A && B)
        next++;
    NEXT;
hook:
    if (frame->hooked > 3)
        frame->hooked = 3;
    NEXT;
halve:
    A = A / 2;
    NEXT;
count:
    if (A < 100)
        A = A + 1;
    NEXT;
leave:
    return A;
}
