/* Types derived from others in C's way: a structure whose first member is the base, and a pointer to the base. */
#include <stddef.h>
enum kind { CIRCLE, BOX, TEXT };
struct shape {
    enum kind kind;
    int references;
};
struct circle {
    struct shape base;
    double radius;
};
struct box {
    struct shape base;
    int width, height;
};
struct text {
    struct shape base;
    const char *characters;
    size_t length;
};

int look(const struct shape *shape) {
    switch (shape->kind) {
    case CIRCLE:
        return ((const struct circle *)shape)->radius > 10.0 ? 1 : 2;
    case BOX: {
        const struct box *box = (const struct box *)shape;
        if (box->width == box->height)
            return 3;
        return box->width > 100 ? 4 : 5;
    }
    case TEXT: {
        const struct text *text = (const struct text *)shape;
        if (text->characters == NULL)
            return 6;
        return text->length > 3 && text->characters[3] == 'x' ? 7 : 8;
    }
    }
    return 0;
}

struct table {
    const char *error;
    int columns;
};
struct file_table {
    struct table base;
    struct table *database;
    unsigned char flags;
    long rows[4];
};

int open_table(struct table *table) {
    struct file_table *own = (struct file_table *)table;
    if (own->database == NULL)
        return 1;
    if (own->flags & 4) {
        own->rows[2] = 0;
        return 2;
    }
    return own->rows[1] > 7 ? 3 : 0;
}

/* An array of the base is an array. */
int second(struct shape *shapes, int count) {
    return count > 1 && shapes[1].references == 7 ? 1 : 0;
}

/* Nothing says what is there but the access. */
struct unknown {
    int tag, room[6];
};
int follow(struct unknown *unknown) {
    const char **place = (const char **)&unknown->room[1];
    if (*place == NULL)
        return 0;
    return **place == 'a' ? 1 : 2;
}
