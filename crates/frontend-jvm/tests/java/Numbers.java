// Numbers: what the JVM defines on all operands.
public class Numbers {
    public static int divide(int a, int b) { return a / b; }
    public static int remainder(int a, int b) { return a % b; }
    public static long divideLong(long a, long b) { return a / b + a % b; }
    public static int shifts(int a, int b) { return (a << b) ^ (a >> b) ^ (a >>> b); }
    public static long shiftsLong(long a, int b) { return (a << b) ^ (a >> b) ^ (a >>> b); }
    public static int fromDouble(double d) { return (int) d; }
    public static long fromDoubleLong(double d) { return (long) d; }
    public static int fromFloat(float f) { return (int) f; }
    public static long fromFloatLong(float f) { return (long) f; }
    public static byte narrowByte(int a) { return (byte) a; }
    public static char narrowChar(int a) { return (char) a; }
    public static short narrowShort(int a) { return (short) a; }
    public static double mixed(int a, long b, float c, double d) { return a + b * c - d / 3 + d % 1.5; }
    public static float floats(float a, float b) { return a * b + a / b - a % b; }
    public static boolean less(double a, double b) { return a < b; }
    public static boolean notGreater(double a, double b) { return !(a > b); }
    public static int compare(long a, long b) { return a < b ? -1 : a == b ? 0 : 1; }
    public static int fibonacci(int n) { if (n > 20) n = 20; return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
    public static int dense(int a) { switch (a) { case 0: return 10; case 1: case 2: return 20; case 5: a++; default: return a; } }
    public static int sparse(int a) { switch (a) { case -1: return 1; case 100: return 2; case 2147483647: return 3; } return 4; }
    public static int increments(int a) { int s = 0; for (byte i = 0; i < 20; i += 3) { s += i++ + --a; } return s; }
    public static int max(int a, int b) { return Math.max(a, b) + Math.abs(a); }
    public static double root(double d) { return Math.sqrt(d) + Math.floor(d) + Math.abs(d); }
    public static int bits(int a) { return Integer.bitCount(a) + Integer.numberOfLeadingZeros(a) + Integer.reverse(a); }
    public static int conditions(int a, int b, int c) { return a > b && b > c || a == c ? 1 : !(a < 3) ? 2 : 3; }
}
