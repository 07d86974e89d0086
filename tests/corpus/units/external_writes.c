/* Functions of other files may change the variables they can name. */
int shared;
static int own;

void elsewhere(void);

int changed(void) {
    shared = 0;
    elsewhere();
    return shared == 1 ? 1 : 0;
}

int kept(void) {
    own = 0;
    elsewhere();
    return own == 1 ? 1 : 0; //~ infeasible
}

int overwritten(void) {
    shared = 0;
    elsewhere();
    shared = 2;
    return shared == 1 ? 1 : 0; //~ infeasible
}

int first_seen(void) {
    elsewhere();
    return shared == 1 ? 1 : 0;
}
