/* Every operation in its exceptional cases; the sum of two floats widened to double can absorb, but neither overflow nor
   cancel half of its digits. */
double quotient(double x, double y) { return x / y; }

double square(double x) { return x * x; }

double sum(float x, float y) { return (double)x + (double)y; }

double difference(double x, double y) { return x - y; }

int ordered(double x) { return x < 1.0; }
