/* Assertions and exceptions of the JVM for `clew prove`; the comments say what is true. */
public class Goals {
    int v;
    Goals next;

    static int absolute(int x) {
        int r = x < 0 ? -x : x;
        assert r >= 0; // violated
        return r;
    }

    static int clamped(int x) {
        if (x > 10)
            x = 10;
        if (x < 0)
            x = 0;
        assert x >= 0 && x <= 10 : "range"; // proved
        return x;
    }

    static void aliased(Goals a, Goals b) {
        if (a == null || b == null)
            return;
        a.v = 1;
        b.v = 2;
        assert a.v == 1; // violated
    }

    static void apart(Goals a, Goals b) {
        if (a == null || b == null || a == b)
            return;
        a.v = 1;
        b.v = 2;
        assert a.v == 1; // proved
    }

    static int made(int x) {
        Goals made = new Goals();
        made.v = x;
        assert made.next == null && made.v == x; // proved
        return made.v;
    }

    static int quotient(int a, int b) {
        return a / b; // violated
    }

    static int guarded(int a, int b) {
        return b == 0 ? 0 : a / b; // proved
    }

    static int handled(int a, int b) {
        try {
            return a / b; // proved
        } catch (ArithmeticException e) {
            return 0;
        }
    }

    static int rethrown(int a, int b) {
        try {
            return a / b; // violated
        } finally {
            a++;
        }
    }

    static String narrowed(Object o) {
        return (String) o; // violated
    }

    static int deep(Goals a) {
        return a == null ? 0 : a.next.v; // violated
    }

    static int[] sized(int n) {
        return new int[n]; // violated
    }

    int own(int x) {
        v = x; // proved
        return v; // proved
    }

    static int unreachable(int x) {
        if (x > 5 && x < 3)
            return 1;
        return 0;
    }
}
