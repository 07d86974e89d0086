// Control flow: switch in all its forms, goto, computed goto, loops, short circuits, statement expressions.
#include <stdio.h>

static int calls;
static int yes(int x) { calls = calls * 10 + x; return 1; }
static int no(int x) { calls = calls * 10 + x; return 0; }

static void duff(char *to, const char *from, int count) {
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7: *to++ = *from++;
    case 6: *to++ = *from++;
    case 5: *to++ = *from++;
    case 4: *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
            } while (--n > 0);
    }
}

static int classify(long x) {
    switch (x) {
        int skipped;
    case -5 ... -1: skipped = 1; return skipped;
    case 0: return 2;
    case 10: case 20: return 3;
    case 0x7fffffffffffffffL: return 4;
    default: if (x > 100) { case 50: return 5; }
        break;
    }
    return 6;
}

static int machine(const char *program) {
    static void *const jump[] = { &&push, &&add, &&mul, &&halt };
    int stack[16], top = 0;
    goto *jump[*program++ - '0'];
push: stack[top++] = *program++ - '0'; goto *jump[*program++ - '0'];
add: top--; stack[top - 1] += stack[top]; goto *jump[*program++ - '0'];
mul: top--; stack[top - 1] *= stack[top]; goto *jump[*program++ - '0'];
halt: return stack[0];
}

static int unsigned_switch(unsigned char c) {
    switch (c) { case 200 ... 255: return 1; case 'a': return 2; }
    return 0;
}

int main(void) {
    char buffer[32] = { 0 };
    duff(buffer, "hello, duff's device", 20);
    puts(buffer);
    long values[] = { -6, -5, -1, 0, 10, 20, 50, 101, 99, 0x7fffffffffffffffL };
    for (int i = 0; i < 10; i++) printf("%d ", classify(values[i]));
    printf("%d %d\n", unsigned_switch(250), unsigned_switch('a'));
    printf("%d\n", machine("030420523"));
    int r = (yes(1) && no(2)) || (no(3) || yes(4));
    r += !(yes(5) && !no(6)) + (no(7) ? yes(8) : yes(9));
    printf("%d %d\n", r, calls);
    int x = ({ int t = 0; for (int i = 0; i < 5; i++) { if (i == 3) continue; t += i; } t; });
    printf("%d %d\n", x, x ?: 9);
    calls = 0;
    printf("%d %d\n", yes(7) ?: 2, calls);
    int n = 0;
again:
    if (n++ < 3) goto again;
    for (;;) { if (n > 10) break; n += 2; while (1) { n++; break; } do n--; while (0); }
    printf("%d\n", n);
    int nested = 0;
    for (int i = 0, j = 10; i < j; i++, j--) for (int k = 0; k < 3; k++) { if (k == 1) continue; if (j == 7) goto out; nested += k; }
out:
    printf("%d\n", nested);
    if (0) { inside: printf("jumped in\n"); return n; }
    goto inside;
}
