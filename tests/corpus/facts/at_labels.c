// `\at` with labels of C, `LoopEntry` and `LoopCurrent`.
//> 1 prove --function label
//= assert n == \at(n,L) + 1;  proved
//= assert n == \at(n,L);  violated
//> 0 prove --function entry
//= loop invariant s == \at(n,LoopEntry) - n;  proved
//= assert n == \at(n,LoopCurrent) - 1;  proved
//> 1 prove --function wrong_entry
//= loop invariant n == \at(n,LoopEntry);  violated
//> 0 prove --function inner
//= assert j <= \at(k,LoopEntry) + 3;  proved
//> 0 prove --function array
//= assert a[0] == \at(a[0],L) + 1;  proved
//> 3 prove --function behind
//= addresses and what pointers lead to are not kept at this label
//> 3 prove --function no_label
//= there is no label `Somewhere` in this function
//> 3 prove --function jumped
//= control may come into the loop by a jump
int label(int n) {
    if (n > 100 || n < 0) return 0;
L:  n++;
    /*@ assert n == \at(n,L) + 1; */
    /*@ assert n == \at(n,L); */
    return n;
}

int entry(int n) {
    int s = 0;
    /*@ loop invariant s == \at(n,LoopEntry) - n; */
    while (n > 0) { n--; s++; /*@ assert n == \at(n,LoopCurrent) - 1; */ }
    return s;
}

int wrong_entry(int n) {
    /*@ loop invariant n == \at(n,LoopEntry); */
    while (n > 0) n--;
    return n;
}

int inner(int n) {
    int k = 0, j = 0;
    for (int i = 0; i < 3; i++) {
        k = n & 7;
        j = k;
        for (int t = 0; t < 3; t++) { j++; k = 100; /*@ assert j <= \at(k,LoopEntry) + 3; */ }
    }
    return j;
}

int array(int n) {
    int a[2] = {n & 7, 1};
L:  a[0] = a[0] + 1;
    /*@ assert a[0] == \at(a[0],L) + 1; */
    return a[0];
}

int behind(int *p) {
L:  *p = 1;
    /*@ assert *p == \at(*p,L); */
    return *p;
}

int no_label(int n) { /*@ assert n == \at(n,Somewhere); */ return n; }

int jumped(int n) {
    if (n > 3) goto in;
    while (n < 0) {
        n++;
in:     n++;
        /*@ assert n >= \at(n,LoopEntry); */
    }
    return n;
}
