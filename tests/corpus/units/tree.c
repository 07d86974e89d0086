/* Binary search trees and red-black trees: search, insertion, removal, rotations, repair. */
#include <stddef.h>

struct tree {
    int key;
    struct tree *left, *right;
};

int contains(const struct tree *t, int key) {
    while (t) {
        if (key == t->key)
            return 1;
        t = key < t->key ? t->left : t->right;
    }
    return 0;
}

struct tree *insert(struct tree *t, struct tree *item) {
    if (t == NULL)
        return item;
    if (item->key < t->key)
        t->left = insert(t->left, item);
    else if (item->key > t->key)
        t->right = insert(t->right, item);
    return t;
}

struct tree *remove_min(struct tree *t, struct tree **min) {
    if (!t->left) {
        *min = t;
        return t->right;
    }
    t->left = remove_min(t->left, min);
    return t;
}

struct tree *delete(struct tree *t, int key) {
    if (!t)
        return NULL;
    if (key < t->key) {
        t->left = delete(t->left, key);
    } else if (key > t->key) {
        t->right = delete(t->right, key);
    } else {
        struct tree *min;
        if (!t->left)
            return t->right;
        if (!t->right)
            return t->left;
        t->right = remove_min(t->right, &min);
        min->left = t->left;
        min->right = t->right;
        return min;
    }
    return t;
}

int height(const struct tree *t) {
    if (!t)
        return 0;
    int l = height(t->left), r = height(t->right);
    return 1 + (l > r ? l : r);
}

enum colour { RED, BLACK };

struct rb {
    struct rb *left, *right, *parent;
    enum colour colour;
    int key;
};

void rotate_left(struct rb **root, struct rb *x) {
    struct rb *y = x->right;
    x->right = y->left;
    if (y->left)
        y->left->parent = x;
    y->parent = x->parent;
    if (!x->parent)
        *root = y;
    else if (x == x->parent->left)
        x->parent->left = y;
    else
        x->parent->right = y;
    y->left = x;
    x->parent = y;
}

void rotate_right(struct rb **root, struct rb *x) {
    struct rb *y = x->left;
    x->left = y->right;
    if (y->right)
        y->right->parent = x;
    y->parent = x->parent;
    if (!x->parent)
        *root = y;
    else if (x == x->parent->right)
        x->parent->right = y;
    else
        x->parent->left = y;
    y->right = x;
    x->parent = y;
}

void insert_fixup(struct rb **root, struct rb *z) {
    while (z->parent && z->parent->colour == RED) {
        struct rb *grand = z->parent->parent;
        if (z->parent == grand->left) {
            struct rb *uncle = grand->right;
            if (uncle && uncle->colour == RED) {
                z->parent->colour = uncle->colour = BLACK;
                grand->colour = RED;
                z = grand;
            } else {
                if (z == z->parent->right) {
                    z = z->parent;
                    rotate_left(root, z);
                }
                z->parent->colour = BLACK;
                z->parent->parent->colour = RED;
                rotate_right(root, z->parent->parent);
            }
        } else {
            struct rb *uncle = grand->left;
            if (uncle && uncle->colour == RED) {
                z->parent->colour = uncle->colour = BLACK;
                grand->colour = RED;
                z = grand;
            } else {
                if (z == z->parent->left) {
                    z = z->parent;
                    rotate_right(root, z);
                }
                z->parent->colour = BLACK;
                z->parent->parent->colour = RED;
                rotate_left(root, z->parent->parent);
            }
        }
    }
    (*root)->colour = BLACK;
}

int parent_ok(struct rb *p) {
    if (p->left && p->left->parent == p)
        return 1;
    return 0;
}
