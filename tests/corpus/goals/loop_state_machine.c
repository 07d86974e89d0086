/* States of a machine by switch. */
int never(int n) {
    int state = 0;
    while (n-- > 0) {
        switch (state) {
        case 0: state = 1; break;
        case 1: state = (n & 1) ? 2 : 0; break;
        default: state = 0; break;
        }
    }
    if (state == 3)
        return 1; //~ unreachable
    return 0;
}
int maybe(int n) {
    int state = 0;
    while (n-- > 0) {
        switch (state) {
        case 0: state = 1; break;
        case 1: state = (n & 1) ? 0 : 3; break;
        default: state = 0; break;
        }
    }
    if (state == 3)
        return 1; //~ reachable
    return 0;
}
