// A quantified precondition is about the state of the call, also where it is instantiated after the program has written.
//> 0 test --function f -c decision
//= 2 objectives, 2 covered, 0 infeasible
/*@ requires \forall integer i; 0 <= i < n ==> a[i] >= 0; */
int f(int *a, int n) {
    a[3] = -5;
    if (n == 4) return 1;
    return 0;
}
