/* Objects of classes that are on no class path, strings that are equal and not the same, and objects of `Class`. */
import java.util.Calendar;

public class Unknown {
    abstract static class Shape {
        final int sides;

        Shape(int sides) {
            if (sides < 3) {
                throw new IllegalArgumentException("sides");
            }
            this.sides = sides;
        }

        abstract int area();

        abstract void draw();

        int twice() {
            return 2 * area();
        }
    }

    static int big(Shape shape) {
        shape.draw();
        return shape.area() > 10 ? 1 : 0;
    }

    static int year(Calendar calendar) {
        return calendar.getActualMaximum(1) > 2000 ? 1 : 0;
    }

    static int same(String a, String b) {
        if (a == b) {
            return 1;
        }
        return a.equals(b) ? 2 : 3;
    }

    static int constant(String s) {
        if (s == "yes") {
            return 1;
        }
        return "yes".equals(s) ? 2 : 3;
    }

    static String kind(Class<?> type) {
        if (type.isPrimitive()) {
            return "number";
        }
        return type == String.class ? "text" : "object";
    }

    enum Colour {
        RED, GREEN;

        boolean isWarm() {
            return this == RED;
        }
    }
}
