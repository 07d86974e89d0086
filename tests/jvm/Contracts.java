/* Contracts in comments, for `clew prove` and `clew test`; the comments behind say what is true. */
public class Contracts {
    private int balance;

    //@ requires x > 0 && x < 1000;
    //@ ensures \result > \old(x); // proved
    static int twice(int x) {
        return x + x;
    }

    //@ ensures \result >= 0; // violated
    static int negated(int x) {
        return -x;
    }

    /*@ requires balance >= 0 && amount >= 0;
      @ requires amount <= 100 ==> balance <= 1000000;
      @ ensures balance == \old(balance) + amount; // proved
      @*/
    public void deposit(int amount) {
        if (amount > 100) {
            throw new IllegalArgumentException();
        }
        balance += amount;
    }

    //@ requires a != null && a.length == 2;
    static int first(int[] a, boolean both) {
        if (a == null) {
            return -1; // never
        }
        return both && a[0] > a[1] ? 1 : 2;
    }

    //@ requires start > 5;
    Contracts(int start) {
        balance = start > 5 ? start : -1;
    }
}
