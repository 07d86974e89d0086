// In assertions, invariants and goals, `\at(x, Pre)` and `\old(x)` of a parameter are what the function was given.
//> 1 prove --function dec
//= assert I == \at(I,Pre);  violated
//> 0 prove --function one_less
//= assert I == \at(I,Pre) - 1;  proved
//= assert I == \old(I) - 1;  proved
//> 1 prove --function count_down
//= loop invariant n == \at(n,Pre);  violated
//> 0 prove --function sum
//= loop invariant s == \at(n,Pre) - n;  proved
//> 0 reach --function count_down --goal 'n != \at(n,Pre)@24'
//= covered
//> 3 prove --function local
//= `k` does not exist when the function is called
//= unknown: the clause cannot be used
int dec(int I) { I = I - 1; /*@ assert I == \at(I,Pre); */ return I; }

int one_less(int I) {
    I = I - 1;
    /*@ assert I == \at(I,Pre) - 1; */ /*@ assert I == \old(I) - 1; */
    return I;
}

int count_down(int n) { /*@ loop invariant n == \at(n,Pre); */ while (n > 0) n--;
    return n;
}

int sum(int n) {
    int s = 0;
    /*@ loop invariant s == \at(n,Pre) - n; */
    while (n > 0) { n--; s++; }
    return s;
}

int local(int n) {
    int k = n;
    /*@ assert k == \at(k,Pre); */
    return k;
}
