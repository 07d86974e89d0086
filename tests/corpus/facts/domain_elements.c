// `a[*]` in a domain is every element that the input has.
//> 0 test --function f -c decision --domain 'a[*]=5..9'
//= 4 objectives, 3 covered, 1 infeasible
//= infeasible: makes the decision `a[0] == 3` at line 14 true
//> 0 test --function sum -c decision --domain 'a[*]=1..2' --domain 'n=0..3'
//= 6 objectives, 5 covered, 1 infeasible
//> 0 test --function items -c decision --domain 's->items[*]=1..2'
//= 2 objectives, 1 covered, 1 infeasible
//> 0 test --function text -c decision --domain "s[*]={0, 'a'..'c'}"
//= 4 objectives, 3 covered, 1 infeasible
struct list { int n; int *items; };

int f(int *a, int n) {
    if (n > 2 && a[2] > 6) return 1; if (a[0] == 3) return 2;
    return 0;
}

int sum(const int a[], int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    if (s == 5) return 1;
    if (s > 6) return 2;
    return 0;
}

int items(struct list *s) { if (s->items[1] > 2) return 1; return 0; }

int text(const char *s) { if (s[0] == 'b') return 1; if (s[0] == 'd') return 2; return 0; }
