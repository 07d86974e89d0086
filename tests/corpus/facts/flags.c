// Flags of the compiler that change what C means are obeyed, or named.
//> 0 test --function wraps -c decision -- -fwrapv
//= 2 objectives, 2 covered
//> 0 test --function wraps -c decision -- -fno-strict-overflow
//= 2 objectives, 2 covered
//> 0 test --function wraps -c decision
//= 1 infeasible
//> 0 prove --checks --function wraps -- -fwrapv
//= nothing that is looked at can be undefined
//> 1 prove --checks --function wraps -- -fwrapv -ftrapv
//= overflow
//> 0 prove --function small --ensures '\result == 1' -- -fshort-enums
//= proved
//> 0 prove --function small --ensures '\result == 4'
//= proved
//> 0 prove --function character --ensures '\result == 200' -- -funsigned-char
//= proved
//> 0 prove --function character --ensures '\result == -56' -- -fsigned-char
//= proved
//> 0 prove --function small --ensures '\result == 4' -- -fpack-struct=1
//= the compiler flag `-fpack-struct=1` is not obeyed: members of structures keep their alignment
//> 0 prove --function small --ensures '\result == 4' -- -ffast-math
//= the compiler flag `-ffast-math` is not obeyed
enum tiny { A, B };
int wraps(int x) { if (x + 1 < x) return 1; return 0; }
int small(void) { return sizeof(enum tiny); }
int character(void) { char c = (char)200; return c; }
//> 0 test --function overlaps -c decision -- -fno-strict-aliasing
//= 2 objectives, 2 covered
//> 0 test --function overlaps -c decision -- -fno-strict-aliasing -fstrict-aliasing
//= 1 infeasible, 0 unknown
int overlaps(int *p, float *q) { *p = 1; *q = 2; if (*p != 1) return 1; return 0; }
