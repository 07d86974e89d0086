// Objects: fields, arrays, dispatch, initialisation.
public class Objects {
    static int counter = 5;
    static final int[] TABLE = {3, 1, 4, 1, 5};
    static class Shape { int side; Shape(int side) { this.side = side; } int area() { return 0; } int twice() { return 2 * area(); } }
    static class Square extends Shape { Square(int side) { super(side); } int area() { return side * side; } }
    static class Cube extends Square { Cube(int side) { super(side); } int area() { return 6 * super.area(); } }
    interface Named { default int name() { return 7; } int id(); }
    static class First implements Named { public int id() { return 1; } }
    static class Second implements Named { public int id() { return 2; } public int name() { return 8; } }
    static class Node { int value; Node next; Node(int value, Node next) { this.value = value; this.next = next; } }
    enum Colour { RED, GREEN, BLUE }
    static class Late { static int loaded = ++counter; static int get() { return loaded; } }
    static Shape make(int kind, int side) { return kind == 0 ? new Shape(side) : kind == 1 ? new Square(side) : new Cube(side); }
    public static int dispatch(int kind, int side) { return make(kind, side).twice(); }
    public static int named(int kind) { Named n = kind > 0 ? new First() : new Second(); return 10 * n.name() + n.id(); }
    public static int cast(int kind) { Shape s = make(kind, 3); return s instanceof Cube ? 1 : ((Square) s).area(); }
    public static int list(int n) { Node head = null; for (int i = 0; i < (n & 7); i++) head = new Node(i, head); int s = 0; for (Node p = head; p != null; p = p.next) s = 10 * s + p.value; return s; }
    public static int ring() { Node a = new Node(1, null); a.next = a; return a.next.next == a ? 1 : 0; }
    public static int table(int i) { return TABLE[i]; }
    public static int initialise() { int before = counter; return before * 100 + Late.get() * 10 + counter; }
    public static int arrays(int n) { int[][] a = new int[3][4]; a[1][2] = n; long[] b = new long[2]; b[1] = n; byte[] c = {1, (byte) n}; char[] d = {'a', (char) n}; boolean[] e = {true, n > 0}; return a[1][2] + a.length + a[2].length + (int) b[1] + c[1] + d[1] + (e[1] ? 1 : 0); }
    public static int copy(int n) { int[] a = {1, 2, 3, 4, 5}; System.arraycopy(a, 0, a, 1, n); return a[1] * 1000 + a[2] * 100 + a[4]; }
    public static int clones() { Object[] a = new Object[2]; a[0] = a; return a[0] == a ? 3 : 4; }
    public static int sameClass(int kind) { return make(kind, 1).getClass() == Square.class ? 1 : 0; }
    public static int strings(int n) { String s = n > 1 ? "clew" : "thread"; return s.length() * 1000 + s.charAt(2) + (s.equals("clew") ? 1 : 0); }
    public static int hash(int n) { return (n > 0 ? "labyrinth" : "").hashCode(); }
    public static int stringSwitch(int n) { String s = n > 1 ? "red" : n == 0 ? "blue" : "other"; switch (s) { case "red": return 1; case "blue": return 2; default: return 3; } }
    public static int index(int n) { return "abcabc".indexOf('c', n) + ("abc".startsWith("ab") ? 10 : 20) + "abc".compareTo("abd"); }
    public static int colours(int n) { Colour c = n > 0 ? Colour.GREEN : Colour.BLUE; return c.ordinal(); }
    public static int boxed(int n) { Integer a = n; Object o = a; return o instanceof Integer ? a + 1 : 0; }
    public static int concat(int n) { String s = "a" + n + 'c' + (n > 1) + 5L + "é\u1234"; return s.hashCode() + s.length(); }
    public static int parse(int n) { return Integer.parseInt(n > 0 ? "42" : "-7") + (int) Long.parseLong("123"); }
}
