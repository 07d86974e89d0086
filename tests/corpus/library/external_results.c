/* The result of a function without a body may lead into what the function was given. */
char *same(char *);
char *find(const char *);

/*@ ensures \result == 0; */ //~? violated
int compared(void) {
    char s[2] = "a";
    return same(s) == s;
}
/*@ ensures \result == 'b'; */ //~? violated
int changed(void) {
    char s[3] = "ab";
    *find(s) = 'Z';
    return s[1];
}
