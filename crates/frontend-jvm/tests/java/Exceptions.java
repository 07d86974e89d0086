// Exceptions: handlers, finally, what the JVM throws by itself.
public class Exceptions {
    static class Own extends RuntimeException { int code; Own(int code) { super("own"); this.code = code; } }
    static class Narrow extends Own { Narrow() { super(9); } }
    public static int caught(int a, int b) { try { return a / b; } catch (ArithmeticException e) { return -7; } }
    public static int wrong(int a, int b) { try { return a / b; } catch (NullPointerException e) { return -7; } }
    public static int last(int a) { int r = 0; try { if (a > 3) throw new Own(a); r = 1; } catch (Own e) { r = e.code; } finally { r += 100; } return r; }
    public static int overrides(int a) { try { if (a > 0) throw new Narrow(); return 1; } finally { if (a == 5) return 50; } }
    public static int order(int a) { try { if (a > 0) throw new Narrow(); throw new Own(3); } catch (Narrow e) { return 1; } catch (Own e) { return 2; } }
    static int deep(int a) { if (a == 0) throw new IllegalStateException("deep"); return deep(a - 1); }
    public static int unwinds(int a) { try { return deep(a & 3); } catch (IllegalStateException e) { return e.getMessage().length(); } }
    public static int bounds(int i) { int[] a = new int[3]; return a[i]; }
    public static int size(int n) { return new int[n > 1000 ? 1000 : n].length; }
    public static int nothing(int n) { int[] a = n > 0 ? new int[n > 9 ? 9 : n] : null; return a.length; }
    public static int cast(int n) { Object o = n > 0 ? "text" : new int[1]; return ((String) o).length(); }
    public static int nested(int n) { try { try { return 10 / n; } finally { n = n / (n - 1); } } catch (ArithmeticException e) { return n; } }
    public static int loop(int n) { int s = 0; for (int i = 0; i < 5; i++) { try { s += 10 / (i - n); } catch (ArithmeticException e) { continue; } finally { s++; } } return s; }
    public static int rethrow(int n) { try { throw n > 1 ? new Narrow() : new RuntimeException("x"); } catch (Own e) { throw new IllegalArgumentException(e); } }
    public static int number(int n) { return Integer.parseInt(n > 0 ? "12x" : "12"); }
    public static void nothingAtAll(int n) { if (n == 0) throw new UnsupportedOperationException(); }
    public static int locked(int n) { Object o = new Object(); synchronized (o) { if (n > 2) throw new Own(1); return n; } }
    public static int asserts(int n) { assert n != 5 : "five"; return n; }
}
