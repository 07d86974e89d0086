/* Decisions of several conditions, as compilers take them apart. */
class Decisions {
    boolean isOpen;
    int level;

    static int both(boolean a, boolean b, boolean c) {
        if (a && (b || c)) {
            return 1;
        }
        return 0;
    }

    static boolean value(int x, int y) {
        return x > 0 && y > 0 || x == y;
    }

    static int negated(boolean a, boolean b) {
        if (!(a || b)) {
            return 1;
        }
        return 2;
    }

    static int nested(boolean a, boolean b) {
        if (a) {
            if (b) {
                return 1;
            }
        }
        return 0;
    }

    static int called(Decisions d, int x) {
        if (d != null && d.isOpen && d.above(x)) {
            return 1;
        }
        return 0;
    }

    boolean above(int x) {
        return level > x;
    }
}
