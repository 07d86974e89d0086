/* Unions are read as the member that is read; what `void *` leads to has the type of the variable it is stored in. */
#include <stddef.h>

struct value {
    union {
        struct value *object;
        long number;
        double real;
        unsigned char flag;
    } u;
    int tag;
};

int tagged(struct value *v) {
    switch (v->tag) {
    case 1:
        return v->u.number == 42;
    case 2:
        return v->u.object && v->u.object->tag == 9;
    case 3:
        return v->u.flag == 'x';
    default:
        v->u.flag = 1;
        return v->u.real > 0.5;
    }
}

int untyped(void *data) {
    struct value *v = data;
    if (v->tag == 5 && v->u.object != NULL && v->u.object->tag == 6)
        return 1;
    return 0;
}

int overwritten(struct value *v) {
    struct value *old = v->u.object;
    v->u.flag = 3;
    if (old && v->u.flag == 3)
        return old->tag == 2;
    return 0;
}
