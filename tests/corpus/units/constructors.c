/* What runs before `main` calls what is not there, and does not run before tests. */
void missing(int level);

static int level = 1;

__attribute__((constructor)) static void early(void)
{
    level = 9;
    missing(level);
}

__attribute__((__constructor__(101))) static void earlier(void)
{
    missing(0);
}

int is_ready(int wanted)
{
    if (level == 1 && wanted > 3)
        return 1;
    return 0;
}
