/* Controllers: PID, debouncing, matrices, traffic lights, a filter. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
typedef struct {
    double kp, ki, kd, i, last, lo, hi;
    bool first;
} pid_t_;
double pid_step(pid_t_ *c, double set, double now, double dt) {
    double e = set - now, d = 0, u;
    if (dt <= 0)
        return 0;
    if (!c->first)
        d = (e - c->last) / dt;
    c->first = false;
    c->last = e;
    c->i += c->ki * e * dt;
    if (c->i > c->hi)
        c->i = c->hi;
    else if (c->i < c->lo)
        c->i = c->lo;
    u = c->kp * e + c->i + c->kd * d;
    return u > c->hi ? c->hi : u < c->lo ? c->lo : u;
}
typedef struct {
    uint8_t state, count;
} debounce;
bool debounce_step(debounce *d, bool raw) {
    if (raw == d->state) {
        d->count = 0;
        return false;
    }
    if (++d->count < 5)
        return false;
    d->state = raw;
    d->count = 0;
    return true;
}
struct matrix {
    int rows, cols;
    double *a;
};
int multiply(const struct matrix *x, const struct matrix *y, struct matrix *z) {
    if (x->cols != y->rows || z->rows != x->rows || z->cols != y->cols)
        return -1;
    for (int i = 0; i < x->rows; i++)
        for (int j = 0; j < y->cols; j++) {
            double s = 0;
            for (int k = 0; k < x->cols; k++)
                s += x->a[i * x->cols + k] * y->a[k * y->cols + j];
            z->a[i * z->cols + j] = s;
        }
    return 0;
}
double det3(const double m[3][3]) {
    double d = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    return fabs(d) < 1e-12 ? 0 : d;
}
enum light { RED, GREEN, YELLOW };
struct crossing {
    enum light ns, ew;
    unsigned timer;
    bool button;
};
void tick(struct crossing *c) {
    if (c->timer > 0) {
        c->timer--;
        return;
    }
    if (c->ns == GREEN) {
        c->ns = YELLOW;
        c->timer = 3;
    } else if (c->ns == YELLOW) {
        c->ns = RED;
        c->ew = GREEN;
        c->timer = c->button ? 20 : 10;
        c->button = false;
    } else if (c->ew == GREEN) {
        c->ew = YELLOW;
        c->timer = 3;
    } else {
        c->ew = RED;
        c->ns = GREEN;
        c->timer = 10;
    }
}
float lowpass(float *state, float x, float alpha) {
    if (isnan(x) || alpha < 0.f || alpha > 1.f)
        return *state;
    *state += alpha * (x - *state);
    return *state;
}
