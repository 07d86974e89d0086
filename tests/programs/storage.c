// Storage and linkage: static locals, tentative definitions, extern in blocks, shadowing, function pointers, recursion.
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int tentative;
int tentative = 4;
int tentative;
extern int declared_later;
static int internal;
static int counter(void) { static int count = 10; static int *self = &count; return (*self)++; }
static long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
typedef int (*op)(int, int);
static int plus(int a, int b) { return a + b; }
static int times(int a, int b) { return a * b; }
static op choose(int which) { static op const ops[] = { plus, times, &plus }; return ops[which]; }
static int apply(op f, int a, int b) { return (*f)(a, b) + f(1, 1) + (**f)(0, 0); }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static inline int inlined(int x) { return x * 2; }
extern inline __attribute__((gnu_inline)) int also(int x) { return x * 3; }
int also(int x) { return x * 3; }
volatile int flag = 1;
const double pi = 3.14159;
static struct node { struct node *left, *right; int v; } tree = { &(struct node){ 0, 0, 1 }, &(struct node){ 0, 0, 3 }, 2 };
static int walk(struct node *n) { return n ? walk(n->left) * 100 + n->v * 10 + walk(n->right) : 0; }
_Thread_local int per_thread = 5;
static char text[] = "abc" "def";
static wchar_t wide[] = L"w\x263a";
static unsigned short u16[] = u"hi";

int main(void) {
    int internal_shadow = internal;
    { extern int declared_later; int tentative = 1; internal_shadow += tentative + declared_later; }
    counter(); counter();
    printf("%d %d %d\n", internal_shadow, counter(), tentative);
    printf("%ld %d %d\n", fib(15), apply(choose(1), 6, 7), choose(2) == plus);
    int values[] = { 5, 2, 9, -1, 7 };
    qsort(values, 5, sizeof *values, compare);
    for (int i = 0; i < 5; i++) printf("%d ", values[i]);
    printf("%d %d\n", inlined(21), also(3));
    while (flag) flag--;
    printf("%g %d %d\n", pi, walk(&tree), per_thread++);
    printf("%s %zu %d %d %zu\n", text, sizeof text, (int)wide[1], u16[1], sizeof u16);
    char *heap = calloc(3, 2); heap = realloc(heap, 10); heap[0] = 'q'; heap[1] = 0; puts(heap); free(heap);
    int i = 0, a[3] = { 0 };
    a[i] = (i + 1) * 2; i++; a[i] = i + 5; i++;
    int x = (i = 5, i + 1), y = i * 2 + i;
    printf("%d %d %d %p\n", x, y, i, (void *)0);
    return declared_later - 42;
}
int declared_later = 42;
