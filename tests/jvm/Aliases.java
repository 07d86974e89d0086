/* References of the input that lead to one object: what one writes, the other reads. */
class Cell {
    int value;
    Cell other;
}

class Aliases {
    static int written(Cell p, Cell q) {
        p.value = 1;
        q.value = 2;
        if (p.value == 2)                             /* needs p == q */
            return 1;
        return 0;
    }

    static int arrays(int[] a, int[] b) {
        a[0] = 1;
        b[0] = 2;
        if (a[0] == 2)                                /* needs a == b */
            return 1;
        return 0;
    }

    static boolean separate(Cell p) {
        Cell own = new Cell();
        own.value = 5;
        p.value = 7;
        return own.value == 7;                        /* never: own is new */
    }

    static boolean parent(Cell p) {
        return p.other.other == p && p.other != p;
    }
}
