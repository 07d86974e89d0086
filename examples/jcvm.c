/* Twenty instructions of the Java Card virtual machine that jcvm.jsl specifies; jcvm.toml says how terms are written here.
   States are values: an instruction takes a state and gives a result. None of them uses the heap or static fields. */

#define MOST 16

enum kind { BOOLEAN, BYTE, SHORT, INT, REF, RETURN };
enum cond { EQ, NE, LT, GE, GT, LE };
enum fault { NONE, STATE_ERROR, OPSTACK_ERROR, TYPE_ERROR, LOCAL_ERROR, HEAP_ERROR, CODE_ERROR, CONSTANT_ERROR };

struct value { enum kind kind; int number; };
struct slot { int full; struct value value; };
struct values { int count; struct value at[MOST]; };
struct slots { int count; struct slot at[MOST]; };
struct frame { struct values stack; struct slots locals; int handler, pc, context; };
struct frames { int count; struct frame at[MOST]; };
struct state { int statics, heap; struct frames frames; };
struct result { int fault; struct state state; };

static struct result fail(int fault, struct state st)
{
    struct result result = { fault, st };
    return result;
}

static struct frame *top_frame(struct state *st)
{
    return &st->frames.at[st->frames.count - 1];
}

/* The value so far below the top of the operand stack. */
static struct value peek(struct frame *f, int below)
{
    return f->stack.at[f->stack.count - 1 - below];
}

static void push_value(struct frame *f, enum kind kind, int number)
{
    struct value v = { kind, number };
    f->stack.at[f->stack.count++] = v;
}

static struct result next(struct state st)
{
    top_frame(&st)->pc += 1;
    return fail(NONE, st);
}

static struct result jump(struct state st, int pc)
{
    top_frame(&st)->pc = pc;
    return fail(NONE, st);
}

static int compare(int x, int y)
{
    return x < y ? -1 : x > y ? 1 : 0;
}

static int holds(enum cond c, int order)
{
    switch (c) {
    case EQ: return order == 0;
    case NE: return order != 0;
    case LT: return order < 0;
    case GE: return order >= 0;
    case GT: return order > 0;
    default: return order <= 0;
    }
}

struct result nop(struct state st)
{
    if (st.frames.count == 0)
        return fail(STATE_ERROR, st);
    return next(st);
}

struct result push(struct value v, struct state st)
{
    if (st.frames.count == 0)
        return fail(STATE_ERROR, st);
    push_value(top_frame(&st), v.kind, v.number);
    return next(st);
}

struct result aconstnull(struct state st)
{
    struct value null = { REF, 0 };
    return push(null, st);
}

struct result constant(enum kind k, int x, struct state st)
{
    struct value v = { k, x };
    if (st.frames.count > 0 && (k == REF || k == RETURN))
        return fail(TYPE_ERROR, st);
    return push(v, st);
}

struct result go_to(int pc, struct state st)
{
    if (st.frames.count == 0)
        return fail(STATE_ERROR, st);
    return jump(st, pc);
}

struct result jsr(int pc, struct state st)
{
    if (st.frames.count == 0)
        return fail(STATE_ERROR, st);
    push_value(top_frame(&st), RETURN, top_frame(&st)->pc + 1);
    return jump(st, pc);
}

/* Whether there is a frame with so many values on its operand stack; otherwise which fault that is. */
static int lacks(int values, struct state *st)
{
    if (st->frames.count == 0)
        return STATE_ERROR;
    return top_frame(st)->stack.count < values ? OPSTACK_ERROR : NONE;
}

struct result pop(struct state st)
{
    int fault = lacks(1, &st);
    if (fault)
        return fail(fault, st);
    top_frame(&st)->stack.count -= 1;
    return next(st);
}

struct result pop2(struct state st)
{
    int fault = lacks(2, &st);
    if (fault)
        return fail(fault, st);
    top_frame(&st)->stack.count -= 2;
    return next(st);
}

struct result dup(struct state st)
{
    int fault = lacks(1, &st);
    if (fault)
        return fail(fault, st);
    return push(peek(top_frame(&st), 0), st);
}

struct result dup2(struct state st)
{
    int fault = lacks(2, &st);
    struct value v, w;
    if (fault)
        return fail(fault, st);
    v = peek(top_frame(&st), 0);
    w = peek(top_frame(&st), 1);
    push_value(top_frame(&st), w.kind, w.number);
    push_value(top_frame(&st), v.kind, v.number);
    return next(st);
}

struct result swap(struct state st)
{
    int fault = lacks(2, &st);
    struct frame *f = top_frame(&st);
    struct value v, w;
    if (fault)
        return fail(fault, st);
    v = peek(f, 0);
    w = peek(f, 1);
    f->stack.at[f->stack.count - 1] = w;
    f->stack.at[f->stack.count - 2] = v;
    return next(st);
}

static struct result if_reference(int is_null, int pc, struct state st)
{
    int fault = lacks(1, &st);
    struct value v;
    if (fault)
        return fail(fault, st);
    v = peek(top_frame(&st), 0);
    if (v.kind != REF)
        return fail(TYPE_ERROR, st);
    top_frame(&st)->stack.count -= 1;
    return (v.number == 0) == is_null ? jump(st, pc) : next(st);
}

struct result ifnull(int pc, struct state st)
{
    return if_reference(1, pc, st);
}

struct result ifnonnull(int pc, struct state st)
{
    return if_reference(0, pc, st);
}

struct result icmp(struct state st)
{
    int fault = lacks(2, &st), order;
    if (fault)
        return fail(fault, st);
    if (peek(top_frame(&st), 0).kind != INT || peek(top_frame(&st), 1).kind != INT)
        return fail(TYPE_ERROR, st);
    order = compare(peek(top_frame(&st), 1).number, peek(top_frame(&st), 0).number);
    top_frame(&st)->stack.count -= 2;
    push_value(top_frame(&st), SHORT, order);
    return next(st);
}

struct result if_cond(enum cond c, int pc, struct state st)
{
    int fault = lacks(1, &st);
    struct value v;
    if (fault)
        return fail(fault, st);
    v = peek(top_frame(&st), 0);
    if (v.kind != SHORT)
        return fail(TYPE_ERROR, st);
    top_frame(&st)->stack.count -= 1;
    return holds(c, compare(v.number, 0)) ? jump(st, pc) : next(st);
}

struct result if_scmp_cond(enum cond c, int pc, struct state st)
{
    int fault = lacks(2, &st);
    struct value v, w;
    if (fault)
        return fail(fault, st);
    w = peek(top_frame(&st), 0);
    v = peek(top_frame(&st), 1);
    if (w.kind != SHORT || v.kind != SHORT)
        return fail(TYPE_ERROR, st);
    top_frame(&st)->stack.count -= 2;
    return holds(c, compare(v.number, w.number)) ? jump(st, pc) : next(st);
}

/* The local variable of a number, or null. */
static struct slot *local(struct state *st, int i)
{
    struct frame *f = top_frame(st);
    return i < f->locals.count ? &f->locals.at[i] : 0;
}

struct result ret(int i, struct state st)
{
    struct slot *slot;
    if (st.frames.count == 0)
        return fail(STATE_ERROR, st);
    slot = local(&st, i);
    if (!slot || !slot->full)
        return fail(LOCAL_ERROR, st);
    if (slot->value.kind != RETURN)
        return fail(TYPE_ERROR, st);
    return jump(st, slot->value.number);
}

struct result load(enum kind k, int i, struct state st)
{
    struct slot *slot;
    if (st.frames.count == 0)
        return fail(STATE_ERROR, st);
    if (k != SHORT && k != INT && k != REF)
        return fail(CODE_ERROR, st);
    slot = local(&st, i);
    if (!slot || !slot->full)
        return fail(LOCAL_ERROR, st);
    if (slot->value.kind != k)
        return fail(TYPE_ERROR, st);
    return push(slot->value, st);
}

struct result store(enum kind k, int i, struct state st)
{
    struct value v;
    if (st.frames.count == 0)
        return fail(STATE_ERROR, st);
    if (k != SHORT && k != INT && k != REF)
        return fail(CODE_ERROR, st);
    if (top_frame(&st)->stack.count == 0)
        return fail(OPSTACK_ERROR, st);
    v = peek(top_frame(&st), 0);
    if (v.kind != k && !(k == REF && v.kind == RETURN))
        return fail(TYPE_ERROR, st);
    if (!local(&st, i))
        return fail(LOCAL_ERROR, st);
    local(&st, i)->full = 1;
    local(&st, i)->value = v;
    top_frame(&st)->stack.count -= 1;
    return next(st);
}

struct result inc(enum kind k, int i, int x, struct state st)
{
    struct slot *slot;
    if (st.frames.count == 0)
        return fail(STATE_ERROR, st);
    if (k != SHORT && k != INT)
        return fail(CODE_ERROR, st);
    slot = local(&st, i);
    if (!slot || !slot->full)
        return fail(LOCAL_ERROR, st);
    if (slot->value.kind != k)
        return fail(TYPE_ERROR, st);
    slot->value.number += x;
    return next(st);
}
