/* foo: ISSRE'10 paper (JAUT), sec. VI-B (body lost by the OCR; only
 * "static int a=1", "public static int foo(int i)", a local set to 10 and a loop remain).
 * RECONSTRUCTED so that the stated answer i = 42 for a = 1 is the least solution. */
class JautFoo {
    static int a = 1;

    public static int foo(int i) {
        int j = 10;
        while (i > 1) {
            j++;
            i--;
        }
        if (j > 50 * a)
            return 1;                                 /* @goal I */
        return 0;
    }
}
