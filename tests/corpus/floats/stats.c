/* Stats of DDR's Tables I and II (Offutt, Jin and Pan 1999) over floats: four small functions of statistics. */
double mean(const double v[], int n)
{
    int i;
    double s = 0.0;
    if (n <= 0)
        return 0.0;
    for (i = 0; i < n; i++)
        s = s + v[i];
    return s / n;
}

double median(const double v[], int n)
{
    int i, j, less, eq;
    for (i = 0; i < n; i++) {
        less = 0;
        eq = 0;
        for (j = 0; j < n; j++) {
            if (v[j] < v[i])
                less++;
            else if (v[j] == v[i])
                eq++;
        }
        if (less <= (n - 1) / 2 && less + eq > (n - 1) / 2)
            return v[i];
    }
    return 0.0;
}

double variance(const double v[], int n)
{
    int i;
    double m, s = 0.0;
    if (n <= 1)
        return 0.0;
    m = mean(v, n);
    for (i = 0; i < n; i++)
        s = s + (v[i] - m) * (v[i] - m);
    return s / (n - 1);
}

double range(const double v[], int n)
{
    int i;
    double lo, hi;
    if (n <= 0)
        return 0.0;
    lo = v[0];
    hi = v[0];
    for (i = 1; i < n; i++) {
        if (v[i] < lo)
            lo = v[i];
        else if (v[i] > hi)
            hi = v[i];
    }
    return hi - lo;
}
