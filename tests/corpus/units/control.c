/* goto, switch with ranges and fall-through, statement expressions, labels as values, do-while. */
int cleanup(int a, int b) {
    int result = -1;
    if (a < 0)
        goto out;
    if (b < 0)
        goto undo;
    result = a > b;
    goto out;
undo:
    result = -2;
out:
    return result;
}

int classify(unsigned char c) {
    switch (c) {
    case '0' ... '9':
        return 1;
    case 'a' ... 'f':
    case 'A' ... 'F':
        return 2;
    case '_':
        c = 0; /* fall through */
    case '-':
        return c ? 3 : 4;
    default:
        return 0;
    }
}

#define MAX(a, b) ({ __typeof__(a) _a = (a), _b = (b); _a > _b ? _a : _b; })

int expression(int x, int y) {
    int m = MAX(x, y);
    if (MAX(m, 3) == 3)
        return 0;
    return m;
}

int computed(unsigned op, int x) {
    static void *const table[] = {&&zero, &&increment, &&negate};
    if (op > 2)
        return -1;
    goto *table[op];
zero:
    return 0;
increment:
    return x < 100 ? x + 1 : x;
negate:
    return x > -100 ? -x : x;
}

int duff(const char *from, int count) {
    int sum = 0, n = (count + 3) / 4;
    if (count <= 0 || count > 6)
        return 0;
    switch (count % 4) { //~ infeasible
    case 0:
        do {
            sum += *from++; /* fall through */
    case 3:
            sum += *from++; /* fall through */
    case 2:
            sum += *from++; /* fall through */
    case 1:
            sum += *from++;
        } while (--n > 0);
    }
    return sum == 10;
}
