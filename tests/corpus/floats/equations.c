/* Equations between floats: a product and a sum, a quadratic classifier, a sum in single precision. */
int product(double x, double y) { return x * x + y == 2.0 && x > 1.0; }

int roots(double a, double b, double c)
{
    double discriminant = b * b - 4.0 * a * c;
    if (a == 0.0)
        return -1;
    if (discriminant < 0.0)
        return 0;
    if (discriminant == 0.0)
        return 1;
    return 2;
}

int total(float x, float y, float z) { return x + y + z == 0.3f && x > y && y > z; }
