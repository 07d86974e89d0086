/* What the source hides from other libraries, and no test needs, may be missing. */
__attribute__ ((visibility ("hidden"))) int far_away(int level);

int near_by(int level) {
    return level > 3 ? 1 : 0;
}

#pragma GCC visibility push(hidden)
int further_away(int level);
#pragma GCC visibility pop

int asks(int level) {
    if (level > 10)
        return far_away(level);
    return further_away(level) > level ? 2 : near_by(level);
}
