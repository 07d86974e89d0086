/* josephus and josephus/m: ISSRE'10 paper (JAUT), sec. VI-B / Fig. 5.
 * Java source not printed; same algorithm as the C program of the JSS 2009 paper.
 * RECONSTRUCTED; josephus/m adds the printed decision ndeEnd.key==41 && nde.key==31. */
class JNode {
    int key;
    JNode next;
}

class Josephus {
    public static int josephus(int n, int m) {
        JNode t = new JNode();
        t.key = 1;
        JNode x = t;
        int i = 2;
        while (i <= n) {
            t.next = new JNode();
            t = t.next;
            t.key = i;
            i++;
        }
        t.next = x;
        while (t != t.next) {
            i = 1;
            while (i <= m - 1) {
                t = t.next;
                i++;
            }
            t.next = t.next.next;
        }
        return t.key;
    }

    public static int josephusM(int n, int m) {
        JNode nde = new JNode();
        nde.key = 1;
        JNode x = nde;
        int i = 2;
        while (i <= n) {
            nde.next = new JNode();
            nde = nde.next;
            nde.key = i;
            i++;
        }
        nde.next = x;
        JNode ndeEnd = nde;
        while (nde != nde.next) {
            i = 1;
            while (i <= m - 1) {
                nde = nde.next;
                i++;
            }
            nde.next = nde.next.next;
        }
        if (ndeEnd.key == 41 && nde.key == 31)
            return 1;                                 /* @goal m */
        return 0;
    }
}
