/* The values of FPSE's Table 3 (Botella, Gotlieb and Michel 2006, as its errata correct them), stated as decisions: where a
 * condition of the paper holds, the value lies in the interval given here, and its ends are reached. */
int foo1_single(float x)
{
    if (x > 0.0f && x + 1.0e12f == 1.0e12f) {
        if (x > 32767.998046875f)
            return 2;
        return x == 32767.998046875f ? 1 : 0;
    }
    return 0;
}

int foo1_double(double x)
{
    if (x > 0.0 && x + 1.0e12 == 1.0e12) {
        if (x > 6.103515625e-05)
            return 2;
        return x == 6.103515625e-05 ? 1 : 0;
    }
    return 0;
}

int foo2_single(float x)
{
    if (x < 10000.0f) {
        if (x + 1.0e12f > 1.0e12f)
            return 2;
    }
    return 0;
}

int foo2_double(double x)
{
    if (x < 10000.0 && x + 1.0e12 > 1.0e12) {
        if (x < 6.1035156250000014e-05)
            return 2;
        return x == 6.1035156250000014e-05 ? 1 : 0;
    }
    return 0;
}

int g1_single(float a, float b, float c)
{
    if (a == 2.0e-30f && b == 1.0e30f && c == 1.0e-30f) {
        float t2 = a + b, t1 = t2 - b;
        if (t1 - c != -1.0000000031710769e-30f)
            return 2;
    }
    return 0;
}

int g1_double(double a, double b, double c)
{
    if (a == 2.0e-30 && b == 1.0e30 && c == 1.0e-30) {
        double t2 = a + b, t1 = t2 - b;
        if (t1 - c != -1.0e-30)
            return 2;
    }
    return 0;
}

int g2_single(float a, float b, float c)
{
    if (a == 1.22f && b == 3.34f) {
        float t1 = b * b, t2 = a * c, t3 = 4.0f * t2;
        if (c == 2.28f && t1 - t3 != 0.029199600219726562f)
            return 3;
        if (t1 - t3 == 0.0f) {
            if (c != 2.2859835624694824f)
                return 2;
        }
    }
    return 0;
}

int g2_double(double a, double b, double c)
{
    if (a == 1.22 && b == 3.34) {
        double t1 = b * b, t2 = a * c, t3 = 4.0 * t2;
        if (c == 2.28 && t1 - t3 != 0.029200000000001225)
            return 3;
        if (t1 - t3 == 0.0) {
            if (c != 2.2859836065573771)
                return 2;
        }
    }
    return 0;
}

int howden(float a, float b)
{
    float x = a * b + 2.0f;
    if (x > 100.0f) {
        x = 100.0f - x;
        x = x - 50.0f;
        if (x > 0.0f)
            return 2;
    }
    return 0;
}

/* Forty turns of the loop of `power` with a negative exponent. */
int power_single(float y)
{
    if (y < 0.0f) {
        float w = 0.0f - y;
        int turns;
        for (turns = 0; turns < 40; turns++) {
            if (!(w > 0.0f))
                return 0;
            w = w - 1.0f;
        }
        if (w <= 0.0f) {
            if (y < -40.0f || y > -39.000003814697266f)
                return 2;
            return y == -39.000003814697266f ? 1 : 0;
        }
    }
    return 0;
}

int power_double(double y)
{
    if (y < 0.0) {
        double w = 0.0 - y;
        int turns;
        for (turns = 0; turns < 40; turns++) {
            if (!(w > 0.0))
                return 0;
            w = w - 1.0;
        }
        if (w <= 0.0) {
            if (y < -40.0 || y > -39.000000000000007)
                return 2;
            return y == -39.000000000000007 ? 1 : 0;
        }
    }
    return 0;
}

/* 10^-40 by repeated multiplication: zero in single precision, for 10^40 is infinite there. */
int power_value(float x, double z)
{
    if (x == 10.0f && z == 10.0) {
        float single = 1.0f;
        double wide = 1.0;
        int turns;
        for (turns = 0; turns < 40; turns++) {
            single = single * x;
            wide = wide * z;
        }
        if (1.0f / single != 0.0f)
            return 2;
        if (1.0 / wide != 1.0000000000000001e-40)
            return 3;
    }
    return 0;
}
