// Loops are counted by turns of the body, whatever their condition looks like.
//> 0 test --function both -c loop
//= 2 objectives, 2 covered
//> 0 test --function either -c loop
//= 2 objectives, 1 covered, 1 infeasible
//= infeasible: runs the loop at line 31 once
//> 0 test --function negated -c loop
//= 2 objectives, 2 covered
//> 0 test --function with_continue -c loop
//= 2 objectives, 2 covered
//> 0 test --function nested -c loop
//= 4 objectives, 4 covered
//> 0 reach --function both --iterations 1=3
//= covered
//> 0 reach --function both --iterations 1=10
//= covered
//> 1 reach --function both --iterations 1=11
//= infeasible
//> 1 reach --function either --iterations 1=1
//= infeasible
//> 0 test --function both -k 1
//= 2 paths, 1 within k=1 of 2 of the graph, 1 superfluous
//> 0 test --function both -k 3
//= 3 within k=3
int both(int n) {
    int k = 0;
    do { k++; n >>= 1; } while (n && k < 10);
    return k;
}

int either(int n) { int k = 0; do { k++; n = n > 0 ? n >> 1 : 0; } while (n || k < 2); return k; }

int negated(int n) { int k = 0; do { k++; n >>= 1; } while (!(n == 0 || k >= 4)); return k; }

int with_continue(int n) {
    int k = 0;
    do { k++; if (n & 1) continue; n = 0; } while ((n = n >> 1) > 0 && (k < 3 || n > 100));
    return k;
}

int nested(int n) {
    int s = 0;
    n &= 7;
    do { int m = n; do { s++; m--; } while (m > 0 && s < 20); n--; } while (n > 0 && s < 20);
    return s;
}
