/* Names that headers of test frameworks use for something else. */
#define int32_t int
#define inline
#define const
#define expect_true(x) ((x) != 0)
#define failures 3
#define result 7
#define call
typedef unsigned size_t;
typedef long long int64_t;
typedef enum { IDLE, BUSY } state;
int printf();

static int32_t skip(int32_t x) { return x > failures ? x : 3; }
size_t fail(size_t n) { return expect_true(n > 7) ? n - result : 0; }
int64_t wide(int64_t x) { return x > 5 ? 5 : x; }
int link(int a, int b, int c) { return a > b ? c : skip(a); }
state next(state s, const char *state) { return *state ? s : IDLE; }
