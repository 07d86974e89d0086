/* What the instrumented twins begin with: events are kept in memory that outlives the process that runs an input. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST 4000
#define TOO_LONG 99

struct event { int site, is_unsigned; long long a, b; };
static struct log { int next, count, hidden; struct event events[MOST]; } *log_;
static FILE *out;

struct pair { int m, n; };
union word { unsigned w; unsigned char c[4]; };
int g;
int *keep;
static int how, externals;

static int ev(int site, long long a, long long b, int is_unsigned)
{
    if (log_->count == MOST)
        _exit(TOO_LONG);
    log_->events[log_->count++] = (struct event){site, is_unsigned, a, b};
    return 0;
}

static int cond(int site, int value)
{
    ev(site, value, 0, 0);
    return value;
}

/* Functions that are given to clew without a body: each input has them behave in another way. */
int ext(int v)
{
    int k = (how + externals++) & 3;
    if (k == 1 && keep) {
        *keep = 2;
        log_->hidden = 1;
    }
    if (k == 2)
        g = 1;
    return k == 0 ? v : k == 1 ? 0 : k == 2 ? -1 : 7;
}

int extp(int *where)
{
    int k = (how + externals++) & 3;
    if (k & 1)
        *where = k + 4;
    if (k == 2 && keep) {
        *keep = 9;
        log_->hidden = 1;
    }
    return k - 1;
}

/* The ending of a run: 0 and its result, 1 for undefined, 2 for too long. Then whether a function without a body wrote where
   its arguments do not lead, and events. */
static void tell(int ending, int result)
{
    int head[4] = {ending, result, log_->hidden, log_->count};
    fwrite(head, sizeof head, 1, out);
    fwrite(log_->events, sizeof log_->events[0], (size_t)log_->count, out);
    fflush(out);
    log_->next++;
}

/* Runs all inputs in one process, and goes on in another one after an input that ends it. */
static void all(int (*call)(const long long *), const long long *inputs, int count)
{
    log_->next = 0;
    while (log_->next < count) {
        pid_t child = fork();
        if (child == 0) {
            while (log_->next < count) {
                log_->count = log_->hidden = 0;
                alarm(2);
                int result = call(inputs + 10 * log_->next);
                tell(0, result);
            }
            _exit(0);
        }
        int status;
        waitpid(child, &status, 0);
        if (log_->next == count)
            break;
        int is_long = (WIFEXITED(status) && WEXITSTATUS(status) == TOO_LONG)
            || (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM);
        tell(is_long ? 2 : 1, 0);
    }
}
