/* Branches that need 10^5 to 10^7 turns of a loop: each test is found without making them, and replayed natively. */
//> 0 test --function steps_of_three --criterion decision --effort 2 --no-verify
//= 4 objectives, 4 covered, 0 infeasible, 0 unknown
//> 0 test --function triangular --criterion decision --effort 2 --no-verify
//= 4 objectives, 4 covered, 0 infeasible, 0 unknown
//> 0 test --function down --criterion decision --effort 2 --no-verify
//= 6 objectives, 5 covered, 1 infeasible, 0 unknown
//= infeasible: makes the decision `t == 400001`
//> 0 test --function stride --criterion decision --effort 2 --no-verify
//= 4 objectives, 4 covered, 0 infeasible, 0 unknown
//> 0 test --function two_sums --criterion decision --effort 2 --no-verify
//= 4 objectives, 4 covered, 0 infeasible, 0 unknown
//> 0 test --function wraps --criterion decision --effort 2 --no-verify
//= 4 objectives, 4 covered, 0 infeasible, 0 unknown
//> 0 test --function powers --criterion decision --effort 2 --no-verify
//= 4 objectives, 4 covered, 0 infeasible, 0 unknown
//> 0 test --function squares --criterion decision --effort 2 --no-verify
//= 4 objectives, 4 covered, 0 infeasible, 0 unknown
//> 0 test --function exits --criterion decision --effort 2 --no-verify
//= 8 objectives, 8 covered, 0 infeasible, 0 unknown
//> 0 test --function late_flag --criterion decision --effort 2 --no-verify
//= 6 objectives, 6 covered, 0 infeasible, 0 unknown
//> 0 test --function last --criterion decision --effort 2 --no-verify
//= 4 objectives, 4 covered, 0 infeasible, 0 unknown
//> 0 test --function nested --criterion decision --effort 2 --no-verify
//= 6 objectives, 6 covered, 0 infeasible, 0 unknown
//> 0 test --function ten_million --criterion decision --effort 2 --no-verify
//= 3 executed, all as predicted
//= 4 objectives, 4 covered, 0 infeasible, 0 unknown

int steps_of_three(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += 3;
    if (s == 3000000)
        return 1;
    return 0;
}

unsigned triangular(unsigned n)
{
    unsigned s = 0, i = 0;
    while (i < n) {
        s += i;
        i++;
    }
    if (s == 1783293664u)
        return 1;
    return 0;
}

int down(int n)
{
    int t = 0;
    do {
        n--;
        t += 2;
    } while (n > 0);
    if (t == 400000)
        return 1;
    if (t == 400001)
        return 2;
    return 0;
}

long stride(long limit)
{
    long i = 0;
    int turns = 0;
    while (i < limit) {
        i += 7;
        turns++;
    }
    if (turns == 1000000)
        return i;
    return 0;
}

int two_sums(int n, int k)
{
    int a = 0, b = 100;
    for (int i = 0; i < n; i++) {
        a += 2;
        b += 3;
    }
    if (a + b == k && k > 5000000)
        return 1;
    return 0;
}

unsigned wraps(unsigned n)
{
    unsigned h = 7;
    for (unsigned i = 0; i != n; i++)
        h += 0x9E3779B9u;
    if (h == 0x9E3779B9u * 250000u + 7u)
        return 1;
    return 0;
}

/* 3 to the power of a million, modulo two to the power of 32. */
unsigned powers(unsigned n)
{
    unsigned p = 1;
    for (unsigned i = 0; i < n; i++)
        p *= 3u;
    if (p == 3863061761u)
        return 1;
    return 0;
}

long squares(int n)
{
    long s = 0;
    for (int i = 1; i <= n; i++)
        s += (long)i * i;
    if (s == 333333833333500000L)
        return 1;
    return 0;
}

int exits(int n, int stop)
{
    int i;
    for (i = 0; i < n; i++) {
        if (i == stop)
            break;
    }
    if (i > 2000000 && i < n)
        return 1;
    if (i == 3000000)
        return 2;
    return 0;
}

int late_flag(int n)
{
    int flag = 0;
    for (int i = 0; i < n; i++) {
        if (i == 500000)
            flag = 1;
    }
    if (flag)
        return 1;
    return 0;
}

int last(int n)
{
    int m = -1;
    for (int i = 0; i < n; i++)
        m = i;
    if (m == 1234567)
        return 1;
    return 0;
}

int nested(int n, int m)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s++;
    if (s == 1000000)
        return 1;
    return 0;
}

int ten_million(int n)
{
    int i = 0;
    while (i < n)
        i++;
    if (i == 10000000)
        return 1;
    return 0;
}
