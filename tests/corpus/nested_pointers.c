/* Pointers behind pointers: a text is read through a structure that says where. */

struct reader {
    const char *at;
    int depth;
};

/* The position is moved on in the structure, and what was looked at before is used after. */
int number(struct reader *r, int *value) {
    int v = 0;
    if (*r->at < '0' || *r->at > '9')
        return 0;
    while (*r->at >= '0' && *r->at <= '9') {
        if (v > 1000)
            return 0;
        v = v * 10 + (*r->at++ - '0');
    }
    *value = v;
    return 1;
}

/* Null is tried, for it is asked for. */
int blanks(struct reader *r) {
    int n = 0;
    if (!r || !r->at)
        return -1;
    while (*r->at == ' ') {
        r->at++;
        if (n < 100)
            n++;
    }
    return n;
}

struct buffer {
    unsigned char *data;
    int length, room;
};

/* Numbers beside a pointer keep their relations while something is written behind it. */
int put(struct buffer *b, int c) {
    if (b->length < 0 || b->length >= b->room)
        return -1;
    b->data[b->length] = c;
    b->length++;
    return b->room - b->length;
}

struct range {
    const int *first, *last;
};

/* Pointers that are ordered may lead into one array: nothing is known of what is behind them. */
int total(struct range *r, int most) {
    int sum = 0;
    while (r->first < r->last && sum < most) {
        if (*r->first > 0 && *r->first < 100)
            sum += *r->first;
        r->first++;
    }
    return sum;
}

struct pair {
    int *one, *other;
};

/* They are the same, if the program asks. */
int swapped(struct pair *p) {
    *p->one = 1;
    *p->other = 2;
    if (p->one == p->other)
        return *p->one == 2;
    return *p->one == 1;
}
