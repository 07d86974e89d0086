// `setjmp` and its kin are not supported: nothing is proved or called infeasible behind them. Threads likewise.
//> 3 prove --function jump --ensures '\result != 2'
//= `_setjmp`, a place to jump back to, is not supported
//> 3 test --function jump -c decision
//! infeasible:
//= 0 infeasible
//> 3 prove --function far --ensures '\result != 2'
//= is not supported
//> 3 prove --function builtin --ensures '\result != 2'
//= is not supported
//> 3 prove --function threads --ensures '\result == 0'
//= `pthread_create`, a second thread, is not supported
#include <setjmp.h>
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);

jmp_buf jb;
int jump(int a) {
    volatile int n = 0;
    if (setjmp(jb) == 0) {
        n = 5;
        if (a < 0) longjmp(jb, 1);
        return 1;
    }
    if (n == 5) return 2;
    return 3;
}

sigjmp_buf sb;
static void leap(void) { siglongjmp(sb, 1); }
int far(int a) { if (sigsetjmp(sb, 1)) return 2; if (a) leap(); return 1; }

void *buffer[5];
int builtin(int a) { if (__builtin_setjmp(buffer)) return 2; if (a) __builtin_longjmp(buffer, 1); return 1; }

int shared;
static void *run(void *unused) { shared = 1; return unused; }
int threads(void) {
    pthread_t thread;
    shared = 0;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    return shared;
}
