//! Programs for 32-bit machines, which this one may not be able to run natively.

use super::run;
use clew_execute::Outcome;
use std::path::Path;

const PROGRAM: &str = r#"
int printf(const char *, ...);
int vprintf(const char *, __builtin_va_list);
void *malloc(unsigned);
void free(void *);
void qsort(void *, unsigned, unsigned, int (*)(const void *, const void *));
struct mixed { char c; long l; void *p; long long q; double d; };
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void say(const char *format, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, format);
    vprintf(format, list);
    __builtin_va_end(list);
}
int main(void) {
    int numbers[] = {5, 3, 4, 1};
    struct mixed *mixed = malloc(sizeof *mixed);
    qsort(numbers, 4, sizeof *numbers, compare);
    printf("%d %d %d %d %u\n", numbers[0], numbers[1], numbers[2], numbers[3], (unsigned)sizeof *mixed);
    mixed->l = -1;
    mixed->p = mixed;
    mixed->q = 1LL << 40;
    mixed->d = 1.5;
    printf("%ld %lu %d %lld %g\n", mixed->l, mixed->l, mixed->p == mixed, mixed->q, mixed->d);
    say("%s %llu %d\n", "text", -1ULL, (int)sizeof(void *));
    unsigned address = (unsigned)&mixed->d;
    say("%g\n", *(double *)address);
    free(mixed);
    return 0;
}
"#;

#[test]
fn pointers_of_32_bits() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("narrow.c");
    std::fs::write(&path, PROGRAM).expect("the directory for temporary files can be written");
    let options = clew_frontend::Options { cc: Some("cc -m32".to_owned()), ..clew_frontend::Options::file(&path) };
    let loaded = clew_frontend::load(&options).expect("the file can be read");
    assert_eq!(loaded.program.target.pointer_width, 32);
    let (outcome, io) = run(&loaded.program);
    assert_eq!(outcome, Outcome::Exited(0), "{:?}", loaded.diagnostics);
    let printed = String::from_utf8_lossy(&io.out);
    assert_eq!(printed, "1 3 4 5 28\n-1 4294967295 1 1099511627776 1.5\ntext 18446744073709551615 4\n1.5\n");
}
