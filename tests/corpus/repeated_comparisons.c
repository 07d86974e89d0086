/* Elements that are compared twice: what the first comparison says holds of the second, until something changes. */
int place(const signed char *a, int n, int key)
{
    int i = 0;
    while (i < n) {
        if (a[i] == key)
            return 1;
        if (a[i] <= key)
            if (a[i] == key)
                return 2; /* never */
        i++;
    }
    return 0;
}

/* Each of these comes to 2. */
int written(int *a, int *b, int i, int key)
{
    if (a == b)
        if (a[i] != key) {
            b[i] = key;
            if (a[i] == key)
                return 2;
        }
    return 0;
}

int moved(const int *a, int n, int key)
{
    for (int i = 0; i < n; i++) {
        if (a[i] == key)
            return 1;
        i++;
        if (a[i] == key)
            return 2;
    }
    return 0;
}

int other_key(const int *a, int n, int key)
{
    for (int i = 0; i < n; i++) {
        if (a[i] == key)
            return 1;
        key++;
        if (a[i] == key)
            return 2;
    }
    return 0;
}

int other_order(const int *a, int n, int key)
{
    for (int i = 0; i < n; i++)
        if (a[i] < key)
            if ((unsigned)a[i] > (unsigned)key)
                return 2;
    return 0;
}

unsigned blanks(const char *s)
{
    unsigned count = 0;
    for (; *s; s++)
        if (*s == ' ' || *s == '\t' || *s == '\n')
            count++;
    return count;
}
