/* One method for each kind of input and ending. */
class Mixed {
    private int limit;
    private final int[] items;

    Mixed(int limit) {
        if (limit < 0)
            throw new IllegalArgumentException("limit");
        this.limit = limit;
        this.items = new int[limit > 4 ? 4 : limit];
    }

    boolean put(int at, int item) {
        if (at >= limit)
            return false;
        items[at] = item;
        return items.length > 2 && items[2] == 9;
    }

    static int sum(int[] a) {
        int s = 0;
        for (int x : a)
            s += x;
        return s > 10 ? 1 : s == -3 ? 2 : 3;
    }

    static String grade(double points) {
        if (points != points)
            throw new IllegalStateException();
        return points >= 90.5 ? "A" : points >= 50 ? "B" : "F";
    }

    static int text(String s) {
        if (s.length() == 3 && s.charAt(1) == 'x')
            return 1;
        return s.equals("clew") ? 2 : 3;
    }

    static int never(int a) {
        int b = a & 7;
        if (b > 7)                                    /* never */
            return 1;
        return b;
    }

    static long divide(long a, int b) {
        try {
            return a / b;
        } catch (ArithmeticException e) {
            return -1;
        }
    }

    static int choose(byte b, char c, short s, boolean z, float f) {
        switch (b) {
            case 1: return c == 'q' ? 1 : 2;
            case -5: return s > 1000 ? 3 : 4;
            default: return z ? f < 0.25f ? 5 : 6 : 7;
        }
    }
}
