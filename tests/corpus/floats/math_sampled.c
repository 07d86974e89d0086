/* Transcendental functions have no exact meaning: they are sampled, and nothing is proved by them. */
#include <math.h>

int sampled(double x)
{
    if (sin(x) > 0.9)
        return 1;
    if (exp(x) == 1.0)
        return 2;
    if (pow(x, 2.0) == 4.0)
        return 3;
    if (cos(x) > 2.0)
        return 4;
    return 0;
}
