// Long jumps, tables of functions, trees with unions, arrays of arrays, tricky assignments.
#include <stdio.h>
#include <string.h>
#include <setjmp.h>
static jmp_buf env;
static int depth(int n) { char pad[16]; memset(pad, n, sizeof pad); if (n == 0) longjmp(env, 7); return depth(n - 1) + pad[3]; }
struct op { const char *name; int (*fn)(int, int); };
static int add(int a, int b) { return a + b; } static int sub(int a, int b) { return a - b; }
static const struct op ops[] = { { "add", add }, { "sub", sub }, { 0, 0 } };
typedef struct tree { struct tree *kids[2]; union { int i; double d; } v; unsigned kind : 1; } tree;
static double eval(const tree *t) { return t->kind ? t->v.d : t->kids[0] ? eval(t->kids[0]) + eval(t->kids[1]) : t->v.i; }
static int matrix[3][3] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } };
static void transpose(int (*m)[3], int out[][3]) { for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) out[j][i] = m[i][j]; }
int main(void) {
  volatile int tries = 0; int r = setjmp(env); if (!r) { tries++; depth(5); } printf("%d %d\n", r, tries);
  for (const struct op *o = ops; o->name; o++) printf("%s %d\n", o->name, o->fn(7, 3));
  tree leaf = { .v.d = 2.5, .kind = 1 }, l2 = { .v.i = 4 }, root = { { &leaf, &l2 } }; printf("%g\n", eval(&root));
  int t[3][3]; transpose(matrix, t); printf("%d %d\n", t[0][2], (*(t + 1))[0]);
  char s[20] = "abc"; char *p = s; while (*p) *p++ ^= 0x20; strcat(s, "x" + !*s); printf("%s %d\n", s, (int)(p - s));
  unsigned h = 5381; for (const char *q = "hash me"; *q; ) h = (h << 5) + h + *q++; printf("%u\n", h);
  int a = 5, b = 7; a ^= b ^= a ^= b; printf("%d %d\n", a, b);
  long long v = -1; unsigned char c = v; short sh = c << 8; printf("%d %d %d\n", c, sh, (signed char)c >> 1);
  int arr[] = { [5] = 1, 2, [0] = 9 }; printf("%zu %d %d\n", sizeof arr / sizeof *arr, arr[6], arr[0]);
  goto *(&&a1); a1: { int x = 3; { int x = 4; printf("%d ", x); } printf("%d\n", x); }
  return printf("%s", "") ; }
