// Names that tests cannot use as they stand in the source: hidden by macros, shared by types that look alike, or those of
// functions that tests stand in for.
#include <stdlib.h>

struct encoding {
    int kind;
};

struct parser {
    struct encoding *m_encoding;
    int m_depth;
};

#define encoding (parser->m_encoding)
#define m_depth m_depth + 0

int is_known(struct parser *parser) {
    return encoding->kind == 3 && parser->m_depth > 2;
}

typedef union {
    char bytes[4];
    int word;
} first_options;

typedef union {
    char bytes[4];
    int word;
} second_options;

int start(const first_options *options);
int restart(const second_options *options);

int run(const first_options *first, const second_options *second) {
    return start(first) > 2 && restart(second) > 3;
}

struct memory {
    void *(*allocate)(size_t size);
    int limit;
};

static const struct memory standard = {malloc, 3};

int has_room(struct memory *memory) {
    void *room = memory->allocate(memory->limit > 2 ? 4 : 8);
    return room != NULL;
}

int is_standard(const struct memory *memory) {
    return memory->allocate == standard.allocate;
}

void *arena(size_t count, size_t size);
#define calloc(count, size) arena(count, size)

/* Tests allocate what may be freed, and mean the function by its name. */
int release(struct parser *parser, int *spare) {
    if (parser->m_depth > 3)
        return 0;
    free(spare);
    return 1;
}
