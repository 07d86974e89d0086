//@ options: --effort 2
/* Powers of long numbers: with variables each product is full of checks, with values there is a test at once. */
typedef long long limb;

static void carry(limb number[16])
{
    for (int i = 0; i < 16; i++) {
        number[i] += 1LL << 16;
        limb above = number[i] >> 16;
        number[(i + 1) * (i < 15)] += above - 1 + 37 * (above - 1) * (i == 15);
        number[i] -= above * 65536;
    }
}

static void product(limb out[16], const limb a[16], const limb b[16])
{
    limb all[31] = {0};
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++)
            all[i + j] += a[i] * b[j];
    for (int i = 0; i < 15; i++)
        all[i] += 38 * all[i + 16];
    for (int i = 0; i < 16; i++)
        out[i] = all[i];
    carry(out);
    carry(out);
}

void power(limb out[16], const limb base[16])
{
    limb so_far[16];
    for (int i = 0; i < 16; i++)
        so_far[i] = base[i];
    for (int turn = 120; turn >= 0; turn--) {
        product(so_far, so_far, so_far);
        if (turn != 1)
            product(so_far, so_far, base);
    }
    for (int i = 0; i < 16; i++)
        out[i] = so_far[i];
}
