// Function objects, records, and interfaces of which nothing is known: code that bootstrap methods or nobody wrote.

import java.util.List;
import java.util.function.IntUnaryOperator;

public class Functions {
    interface Shape {
        int area(int scale);

        String name();
    }

    record Point(int x, long y, String name) { }

    static final int[] LIMITS = {3, 14, 15};

    static int lambda(int a) {
        IntUnaryOperator triple = v -> v * 3 + a;
        return triple.applyAsInt(a) > 10 ? 1 : 0;
    }

    static int mock(Shape shape) {
        if (shape.area(2) > 100) {
            return shape.name().length() == 3 ? 5 : 6;
        }
        return 7;
    }

    static int count(List<String> texts) {
        int count = 0;
        for (String text : texts) {
            if (text.equals("ab")) {
                count++;
            }
        }
        return count;
    }

    static int kind(Object object) {
        if (object instanceof Functions) {
            return 1;
        }
        if (object instanceof Integer number) {
            return number > 5 ? 2 : 3;
        }
        return 4;
    }

    static boolean isLimit(int value) {
        for (int limit : LIMITS) {
            if (limit == value) {
                return true;
            }
        }
        return false;
    }

    static int copies(int[] numbers) {
        int[] copy = numbers.clone();
        copy[0] = 7;
        return numbers[0] == 7 ? 1 : copy.length;
    }
}
