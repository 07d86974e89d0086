/* ISSRE'10 paper (JAUT), sec. III-C: B inherits from A, object
 * ([A,B],[t1 in 2..5, t2 in 15..17]). Completion: a virtual call that needs class B. */
class A {
    int t1;
    int get() { return t1; }
}

class B extends A {
    int t2;
    int get() { return t2; }
}

class TypeVar {
    static int call(A o) {
        if (o.get() > 10)
            return 1;                                 /* @goal class-B when t1 in 2..5 and t2 in 15..17 */
        return 0;
    }
}
