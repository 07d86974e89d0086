/* Names that headers of test frameworks use for something else. */
#define int32_t int
#define inline
#define const
typedef unsigned size_t;
typedef long long int64_t;
typedef enum { IDLE, BUSY } state;
int printf();

static int32_t skip(int32_t x) { return x > 3 ? x : 3; }
size_t fail(size_t n) { return n > 7 ? n - 7 : 0; }
int64_t wide(int64_t x) { return x > 5 ? 5 : x; }
int link(int a, int b, int c) { return a > b ? c : skip(a); }
state next(state s, const char *state) { return *state ? s : IDLE; }
