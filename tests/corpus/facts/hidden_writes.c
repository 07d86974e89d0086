/* A variable escapes through a helper and through an earlier call, too; the library keeps what it is given to itself. */
//> test --criterion decision --function by_helper
//= 1 infeasible (1 under assumptions)
//= `ext` writes only to named variables and to what the arguments lead to (external-writes
//> test --criterion decision --function by_earlier_call
//= 1 infeasible (1 under assumptions)
//= `ext` and `take` write only
//> test --criterion decision --function by_pointer
//= `call` writes only
//> test --criterion decision --function sorted
//= 1 infeasible, 0 unknown
//! assumes
//> 3 test --criterion decision --function signalled
//= `raise`, a signal to the program itself, is not supported
#include <signal.h>
#include <stdlib.h>
int *keep;
void ext(int);
void take(int *);

static void helper(int *p) { keep = p; }
int by_helper(void) { int l = 1; helper(&l); ext(0); if (l != 1) return 1; return 0; }

int by_earlier_call(void) { int l = 1; take(&l); l = 1; ext(0); if (l != 1) return 1; return 0; }

int by_pointer(double (*call)(double)) { int l = 1; keep = &l; call(0); if (l != 1) return 1; return 0; }

static int order(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
int sorted(void) { char a[2] = {2, 1}; int l = 1; int *p = &l; qsort(a, 2, 1, order); if (*p != 1) return 1; return 0; }

static volatile int seen;
static void handler(int number) { seen = number; }
int signalled(void) { seen = 0; signal(SIGUSR1, handler); raise(SIGUSR1); if (seen) return 1; return 0; }
