/* Coord.moveY: ISSRE'10 paper (JAUT), Fig. 1 and 2 (the body of
 * "instruction i" is restored from the bytecode 36-51: clamp, then swapped arguments). */
class Coord {
    int x, y;

    Coord(int cx, int cy) { x = cx; y = cy; }

    public Coord moveY(Chrono chrono, int speed) {
        if (chrono.time <= 0 || speed <= 0)
            return this;
        int ytemp = y + chrono.time * speed;
        chrono.time = 0;
        if (ytemp > 65536) {
            ytemp = 65536;
            return new Coord(ytemp, x);               /* @goal bytecode-51 (seeded fault: swapped arguments) */
        } else
            return new Coord(x, ytemp);
    }
}

class Chrono {
    int time;
}
