
/* No headers: the text before has some already expanded. */
extern void (*signal(int, void (*)(int)))(int);
extern int sigrelse(int);
extern int dup(int);
extern int dup2(int, int);
extern unsigned alarm(unsigned);
extern long clock(void);
extern void _exit(int);

static unsigned long long clew_tried, clew_rejected, clew_undefined, clew_state;
static unsigned long long clew_begun, clew_seconds;
/* Whether violations are counted, and whether an assertion has failed meanwhile. */
static int clew_counts, clew_aborted;
static void *clew_jump[5];

static void clew_digits(const char *before)
{
    int i;
    dprintf(clew_out, "%s", before);
    for (i = 0; i < CLEW_DIGITS; i++)
        dprintf(clew_out, " %llu", clew_low[i] + clew_at[i]);
    dprintf(clew_out, "\n");
}

static void clew_end(const char *how)
{
    dprintf(clew_out, "%s%llu %llu %llu", how, clew_tried, clew_rejected, clew_undefined);
    clew_digits("");
    _exit(0);
}

/* Each second: whether there is time left, and this input has had less than two seconds of processor time. */
static int clew_goes_on(void)
{
    static unsigned long long seen;
    static long begun;
    if (--clew_seconds == 0)
        return 0;
    if (seen != clew_begun) {
        seen = clew_begun;
        begun = clock();
    }
    alarm(1);
    return clock() - begun < 2000000;
}

static void clew_signal(int number)
{
    if (number == 14 && clew_goes_on())
        return;
    if (number == 6 && clew_counts) {
        clew_aborted = 1;
        sigrelse(number);
        __builtin_longjmp(clew_jump, 1);
    }
    if (number != 6 && number != 14) {
        if (clew_told)
            dprintf(clew_out, "...\nundefined\n");
        sigrelse(number);
        __builtin_longjmp(clew_jump, 1);
    }
    if (clew_told)
        dprintf(clew_out, "the assertion fails\n");
    clew_tried++;
    clew_end(number == 6 ? "@violated " : "@time ");
}

/* splitmix64 (Steele, Lea and Flood 2014) */
static unsigned long long clew_random(void)
{
    unsigned long long z = (clew_state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/* Evenly from 0 to the bound: draws beyond the last whole multiple do not count. */
static unsigned long long clew_below(unsigned long long bound)
{
    unsigned long long number = bound + 1, drawn, rest;
    if (number == 0)
        return clew_random();
    rest = (0 - number) % number;
    do
        drawn = clew_random();
    while (drawn < rest);
    return drawn % number;
}

static int clew_next(void)
{
    int i;
    for (i = 0; clew_order[i] >= 0; i++) {
        int digit = clew_order[i];
        if (!clew_is_there(digit))
            continue;
        if (clew_at[digit] < clew_span[digit]) {
            clew_at[digit]++;
            return 1;
        }
        clew_at[digit] = 0;
    }
    return 0;
}

/* Whether floats are drawn by the length of their interval. */
static int clew_by_length;

/* A float evenly from an interval: as a place, from the lowest one on. */
static unsigned long long clew_within(unsigned long long low, unsigned long long span, int width)
{
    unsigned long long most = clew_place(width == 32 ? __FLT_MAX__ : __DBL_MAX__, width);
    long long first = (long long)low, last = (long long)(low + span), drawn;
    double part = (double)(clew_random() >> 11) / 9007199254740992.0;
    first = first < ~(long long)most ? ~(long long)most : first;
    last = last > (long long)most ? (long long)most : last;
    drawn = (long long)clew_place(
        clew_real((unsigned long long)first, width) * (1 - part) + clew_real((unsigned long long)last, width) * part,
        width);
    return (unsigned long long)(drawn < first ? first : drawn > last ? last : drawn) - low;
}

static void clew_draw(void)
{
    int i;
    for (i = 0; clew_drawn[i] >= 0; i++) {
        int digit = clew_drawn[i], width = clew_float[digit];
        if (clew_by_length && width)
            clew_at[digit] = clew_within(clew_low[digit], clew_span[digit], width);
        else
            clew_at[digit] = clew_below(clew_span[digit]);
    }
}

/* What the relation says of an input: 1 also where the input does not count. */
static int clew_outcome(void)
{
    int result;
    if (__builtin_setjmp(clew_jump)) {
        if (clew_aborted) {
            clew_aborted = 0;
            clew_tried++;
            return 0;
        }
        clew_undefined++;
        return 1;
    }
    clew_begun++;
    result = clew_try();
    if (!clew_allowed) {
        clew_rejected++;
        return 1;
    }
    clew_tried++;
    return result;
}

static void clew_one(void)
{
    unsigned long long rejected = clew_rejected, undefined = clew_undefined;
    int result = clew_outcome();
    if (rejected != clew_rejected || undefined != clew_undefined)
        return;
    if (clew_drawing)
        clew_digits("");
    if (result == 0)
        clew_end("@violated ");
    if (result == 2)
        clew_end("@open ");
}

#ifdef CLEW_MUTANTS
/* On how many inputs each mutant violates the relation: so many drawn, or all. */
static void clew_measure(unsigned long long wanted)
{
    unsigned long long violated, seed = clew_state;
    unsigned mutant;
    int i, is_left;
    clew_counts = 1;
    for (mutant = 1; mutant <= CLEW_MUTANTS; mutant++) {
        clew_tried = clew_rejected = clew_undefined = violated = 0;
        clew_state = seed;
        for (i = 0; i < CLEW_DIGITS; i++)
            clew_at[i] = 0;
        __clew_choice.mutant = mutant;
        __clew_choice.most = CLEW_WORK;
        do {
            if (wanted)
                clew_draw();
            __clew_work = 0;
            violated += clew_outcome() == 0;
            is_left = wanted ? clew_tried + clew_undefined < wanted : clew_next();
        } while (is_left);
        dprintf(clew_out, "#%u %llu %llu %llu\n", mutant, clew_tried, clew_undefined, violated);
    }
}
#endif

static unsigned long long clew_number(const char *text)
{
    unsigned long long value = 0;
    while (*text)
        value = value * 10 + (unsigned long long)(*text++ - '0');
    return value;
}

int main(int count, char **words)
{
    static const int signals[] = { 4, 6, 7, 8, 11, 14 };
    unsigned long long wanted = clew_number(words[2]);
    int i;
    clew_out = dup(1);
    dup2(2, 1);
    for (i = 0; i < 6; i++)
        signal(signals[i], clew_signal);
    for (i = 0; 5 + 2 * i + 1 < count; i++) {
        clew_low[i] = clew_number(words[5 + 2 * i]);
        clew_span[i] = clew_number(words[5 + 2 * i + 1]);
    }
    clew_state = clew_number(words[3]);
    clew_seconds = clew_number(words[4]);
    alarm(1);
    clew_drawing = words[1][0] == 'd';
    for (i = 0; words[1][i]; i++)
        clew_by_length |= words[1][i] == ':';
#ifdef CLEW_MUTANTS
    if (words[1][0] == 'm') {
        clew_measure(wanted);
        clew_end("@holds ");
    }
#endif
    if (words[1][0] == 's') {
        clew_told = 1;
        clew_one();
    } else if (words[1][0] == 'a') {
        do
            clew_one();
        while (clew_next());
    } else {
        while (clew_tried + clew_undefined < wanted) {
            clew_draw();
            clew_one();
        }
    }
    clew_end("@holds ");
    return 0;
}
