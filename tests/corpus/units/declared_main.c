/* Headers of old programs declare `main`. */
extern int main(int argc, char **argv);

int starts(int level)
{
    return level > 3;
}
