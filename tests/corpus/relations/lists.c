/* C twins of the methods on lists of ISSRE 2003, table 5, and seeded bugs. */

/* The nb least elements, in r; their number. */
int min_nb(const int *v, int n, int nb, int *r)
{
    int k = n < nb ? n : nb, i, j, at;
    for (i = 0; i < k; i++)
        r[i] = v[i];
    for (; i < n; i++) {
        at = 0;
        for (j = 1; j < k; j++)
            if (r[j] > r[at])
                at = j;
        if (k > 0 && r[at] > v[i])
            r[at] = v[i];
    }
    return k;
}

/* A great element is replaced several times. */
int min_nb_1(const int *v, int n, int nb, int *r)
{
    int k = n < nb ? n : nb, i, j, l, at;
    for (i = 0; i < k; i++)
        r[i] = v[i];
    for (j = 0; i < n; i++)
        for (; j < k; j++) {
            at = 0;
            for (l = 1; l < k; l++)
                if (r[l] > r[at])
                    at = l;
            if (r[at] > v[i])
                r[at] = v[i];
        }
    return k;
}

int replaceAll(int *a, int n, int from, int to)
{
    int i, hit = 0;
    for (i = 0; i < n; i++)
        if (a[i] == from) {
            a[i] = to;
            hit = 1;
        }
    return hit;
}

int replaceAll_1(int *a, int n, int from, int to)
{
    int i, hit = 0;
    for (i = 1; i < n; i++)
        if (a[i] == from) {
            a[i] = to;
            hit = 1;
        }
    return hit;
}

void copy(int *dest, const int *src, int n)
{
    int i;
    for (i = 0; i < n; i++)
        dest[i] = src[i];
}

void sort(int *a, int n)
{
    int i, j, t;
    for (i = 1; i < n; i++)
        for (j = i; j > 0 && a[j - 1] > a[j]; j--) {
            t = a[j];
            a[j] = a[j - 1];
            a[j - 1] = t;
        }
}

void sort_1(int *a, int n)
{
    int i, j, t;
    for (i = 1; i < n; i++)
        for (j = i; j > 1 && a[j - 1] > a[j]; j--) {
            t = a[j];
            a[j] = a[j - 1];
            a[j - 1] = t;
        }
}

/* The position of the only element that is x, or -1. */
int find(const int *a, int n, int x)
{
    int i, at = -1;
    for (i = 0; i < n; i++)
        if (a[i] == x)
            at = at == -1 ? i : -1;
    return at;
}
