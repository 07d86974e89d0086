/* ISSRE'10 paper (JAUT), abstract and sec. I: decisions such as
 * "if (p == p.next)" that force a cyclic input structure. Completion: wrapped in a method. */
class CNode {
    int val;
    CNode next;
}

class CyclicRef {
    static int self(CNode p) {
        if (p == p.next)
            return 1;                                 /* @goal self-loop */
        return 0;
    }
}
