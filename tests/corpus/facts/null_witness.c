// The input that is shown for a goal is one that does it, also where the program is undefined for it afterwards.
//> 0 reach --function deref --goal 'p == \null@8'
//= with p = NULL
//> 0 reach --function deref --goal 'p != \null@8'
//= with *p = 0
int deref(int *p) {
    int x = 1;
    return *p + x;
}

// Also where the function and its statement stand on one line.
//> 0 reach --function one_line --goal 'p == \null@14'
//= with p = NULL
int one_line(int *p) { return *p; }
