// Signed integers of 128 bits overflow, too.
//> 1 prove --checks --function add
//= overflow  line 10: a + b  violated
//> 1 prove --checks --function sub
//= overflow  line 11: a - b  violated
//> 1 prove --checks --function mul
//= overflow  line 12: a * b  violated
//> 0 prove --checks --function narrow
//= proved
__int128 add(__int128 a, __int128 b) { return a + b; }
__int128 sub(__int128 a, __int128 b) { return a - b; }
__int128 mul(__int128 a, __int128 b) { return a * b; }
__int128 narrow(int a, int b) { return (__int128)a * b + (__int128)a - b; }
