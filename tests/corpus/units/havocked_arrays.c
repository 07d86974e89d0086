/* Functions without a body write whole arrays, and what they may have written besides is not said to be unwritten. */
#include <stdint.h>
#include <string.h>

struct pair {
    int a, b[4];
};

struct box {
    int *inside;
    int number;
};

void fill(int *to, int count);
void fill_bytes(unsigned char *to, int count);
void fill_any(void *to, int count);
void fill_pairs(struct pair *to);
void look(const int *at);
void use(struct box *box);

int words(void) {
    int to[10];
    fill(to, 10);
    return to[3] > 5 ? 1 : 0;
}

int bytes(void) {
    unsigned char to[1000];
    fill_bytes(to, 1000);
    return to[700] == 5 ? 1 : 0;
}

int anything(void) {
    int to[300];
    fill_any(to, 300);
    return to[250] == 5 ? 1 : 0;
}

int structures(void) {
    struct pair to[3];
    fill_pairs(to);
    return to[2].b[1] == 7 ? 1 : 0;
}

int member(void) {
    struct pair to;
    to.a = 1;
    fill(to.b, 4);
    return to.a == 1 && to.b[3] == 9; //~ infeasible
}

int rows(void) {
    int to[4][3];
    fill(&to[0][0], 12);
    return to[3][2] == 4 ? 1 : 0;
}

int again(void) {
    int to[10] = {0};
    fill(to, 10);
    return to[3] > 5 ? 1 : 0;
}

int of_input(int *to) {
    int before = to[3];
    fill(to, 4);
    return to[3] != before ? 1 : 0;
}

int of_input_by_any(int *to) {
    int before = to[3];
    fill_any(to, 4);
    return to[3] != before ? 1 : 0;
}

static uint64_t word(const uint8_t *from) {
    uint64_t word;
    memcpy(&word, from, sizeof word);
    return word;
}

int copied(uint64_t *to) {
    unsigned char from[512];
    fill_bytes(from, 512);
    for (int i = 0; i < 64; i++)
        to[i] = word(from + 8 * i);
    return to[40] == 3 ? 1 : 0;
}

int constant(void) {
    int to[2] = {0};
    look(to);
    return to[1] == 1 ? 1 : 0; //~ infeasible
}

int too_long(void) {
    unsigned char to[5000] = {0};
    fill_bytes(to, 5000);
    return to[4000] == 5 ? 1 : 0; //~? unknown
}

int behind(void) {
    int inside = 0;
    struct box box = {&inside, 1};
    use(&box);
    return inside == 5 ? 1 : 0; //~? unknown
}
