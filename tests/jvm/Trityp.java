/* trityp in Java: ISSRE'10 paper (JAUT), Fig. 5; ISSRE'03 paper,
 * sec. 4.2; QSIC'06 paper, sec. 4.3 (three non-negative bytes). RECONSTRUCTED. */
class Trityp {
    static final int SCALENE = 1, ISOSCELES = 2, EQUILATERAL = 3, ILLEGAL = 4;

    public static int trityp(int i, int j, int k) {
        int t;
        if (i == 0 || j == 0 || k == 0)
            t = ILLEGAL;
        else {
            t = 0;
            if (i == j) t = t + 1;
            if (i == k) t = t + 2;
            if (j == k) t = t + 3;
            if (t == 0) {
                if (i + j <= k || j + k <= i || i + k <= j)
                    t = ILLEGAL;
                else
                    t = SCALENE;
            } else if (t > 3)
                t = EQUILATERAL;
            else if (t == 1 && i + j > k)
                t = ISOSCELES;
            else if (t == 2 && i + k > j)
                t = ISOSCELES;
            else if (t == 3 && j + k > i)
                t = ISOSCELES;
            else
                t = ILLEGAL;
        }
        return t;
    }
}
