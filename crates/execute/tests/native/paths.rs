//! Every construct that holds conditions reports them in order, and keeps its meaning.

use crate::subject::{Subject, arguments, int, int_result, ints, path, pointer};
use clew_execute::native::{Options, agrees};
use clew_execute::{Ending, Event, Input};

/// Runs `f(int ...)` once per line `arguments -> result path`.
fn check(text: &str, expected: &[(&[i32], i32, &str)]) {
    let subject = Subject::new(text);
    let mut native = subject.build("f", &Options::default());
    let inputs: Vec<Input> =
        expected.iter().map(|(values, ..)| arguments(values.iter().copied().map(int).collect())).collect();
    for (result, (values, value, steps)) in native.run_batch(&inputs).into_iter().zip(expected) {
        let observation = result.unwrap();
        assert_eq!(observation.ending, Ending::Returned, "{values:?}");
        assert_eq!((int_result(&observation), path(&observation).as_str()), (*value, *steps), "{values:?}");
    }
}

#[test]
fn and_or_not() {
    let text = "int f(int a, int b) { if ((a > 3 && !(b)) || a == 0) return 1; return 0; }";
    check(text, &[(&[5, 0], 1, "TF"), (&[5, 1], 0, "TTF"), (&[0, 1], 1, "FT"), (&[1, 1], 0, "FF")]);
}

#[test]
fn loops_of_all_kinds() {
    let text = "int f(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) s += i;
        while (n-- > 1) s++;
        do s++; while (s < 0);
        for (;;) { if (s) break; }
        return s; }";
    check(text, &[(&[0], 1, "FFFT"), (&[2], 3, "TTFTFFT")]);
}

#[test]
fn conditions_inside_conditions() {
    let text = "static int g(int x) { return x > 2 ? 1 : 0; }
    int f(int a, int b) {
        if (g(a ? b : 3) == (a && b)) return g(b);
        return -1; }";
    check(text, &[(&[1, 3], 1, "TTTTTT"), (&[0, 1], -1, "FTFF"), (&[1, 0], 0, "TFTFTF")]);
}

#[test]
fn a_ternary_without_middle_keeps_its_value() {
    let text = "int f(int a, int b) { return (a - 1) ?: b + 10; }";
    check(text, &[(&[8, 1], 7, "T"), (&[1, 2], 12, "F")]);
}

#[test]
fn a_ternary_without_middle_of_other_types() {
    let text = "struct hidden;
    extern struct hidden *p; struct hidden *p;
    struct bits { unsigned b : 3; };
    int f(int a) {
        struct bits s = { a };
        double d = (double)a ?: 0.5;
        const char *text = (a ? \"yes\" : 0) ?: \"no\";
        return (s.b ?: 9) + (int)(d * 2) + text[0] + ((p ?: (struct hidden *)&a) == (struct hidden *)&a); }";
    check(text, &[(&[2], 2 + 4 + 'y' as i32 + 1, "TTTTF"), (&[0], 9 + 1 + 'n' as i32 + 1, "FFFFF")]);
}

#[test]
fn pointers_floats_and_wide_integers_are_conditions() {
    let text = "int f(int a) {
        int *p = a > 1 ? &a : 0;
        float x = a ? 0.25f : 0;
        unsigned long long w = (unsigned long long)a << 40;
        int r = 0;
        if (p) r += 1;
        if (x) r += 2;
        if (w) r += 4;
        if (!p) r += 8;
        return r; }";
    check(text, &[(&[2], 7, "TTTTTT"), (&[0], 8, "FFFFFF"), (&[1], 14, "FTFTTF")]);
}

#[test]
fn switches_report_their_arm() {
    let text = "int f(int a) { switch (a) { case 1: case 2: return 10; case 5 ... 7: return 20; case -1: return 30;
        default: return 40; } }";
    check(text, &[(&[1], 10, "0"), (&[2], 10, "1"), (&[6], 20, "2"), (&[-1], 30, "3"), (&[9], 40, "4")]);
}

#[test]
fn switches_keep_the_promoted_type() {
    let text = "enum colour { RED, GREEN };
    struct bits { unsigned b : 4; };
    int f(int a) {
        int r = 0;
        struct bits s = { a };
        switch ((unsigned)a) { case -1: r += 1; }
        switch ((char)a) { case -1: r += 2; }
        switch (s.b) { case 15: r += 4; }
        switch ((enum colour)a) { case GREEN: r += 8; break; default: ; }
        switch (a > 0 && a < 9) { case 1: r += 16; }
        switch ((long long)a << 33) { case 1ll << 33: r += 32; }
        switch ((_Bool)a) { case 1: r += 64; }
        return r; }";
    check(text, &[(&[-1], 1 + 2 + 4 + 64, "0001F110"), (&[1], 8 + 16 + 32 + 64, "1110TT000")]);
}

#[test]
fn switches_on_128_bits() {
    let text = "int f(int a) { switch ((__int128)a << 70) { case (__int128)1 << 70: return 1; case 0: return 2; }
        return 3; }";
    check(text, &[(&[1], 1, "0"), (&[0], 2, "1"), (&[2], 3, "2")]);
}

#[test]
fn statement_expressions_and_commas() {
    let text = "int f(int a) { int n = 0; for (; n++, a > n; ) ; return ({ int t = a ? n : -n; t; }) && n; }";
    check(text, &[(&[2], 1, "TFTTT"), (&[0], 1, "FFTT")]);
}

#[test]
fn macros_comments_and_lines() {
    let text = "#define BIG(x) ((x) > 10 /* ten */ && \\\n  (x) < 100)
    int f(int a) {
        if (BIG(a)
            // a comment ) ( inside
            || a == \')\') return 1;
        return a == '\\'' ? 2 : 0; }";
    check(text, &[(&[50], 1, "TT"), (&[5], 0, "FFF"), (&[41], 1, "TT"), (&[200], 0, "TFFF")]);
}

#[test]
fn calls_and_recursion_are_on_the_path() {
    let text = "static inline int even(int n);
    static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
    static inline int even(int n) { return n == 0 ? 1 : odd(n - 1); }
    int f(int n) { return even(n); }";
    check(text, &[(&[3], 0, "FFFT"), (&[0], 1, "T")]);
}

#[test]
fn inline_functions_without_another_definition() {
    let text = "inline int g(int n) { return n > 1; } inline int f(int n) { return g(n) && n != 5; }";
    check(text, &[(&[5], 0, "TF"), (&[0], 0, "F")]);
}

#[test]
fn a_program_with_its_own_main() {
    let text =
        "#include <stdio.h>\nint f(int a) { return a ? 1 : 2; } int main(void) { puts(\"hello\"); return f(3); }";
    check(text, &[(&[0], 2, "F")]);
    let text = "int main(int argc, char **argv) { if (argc > 2) return argv[0] != 0; }";
    let subject = Subject::new(text);
    let mut native = subject.build("main", &Options::default());
    let null = crate::subject::bytes(&[0; 8]);
    let observation = native.run(&arguments(vec![int(1), null])).unwrap();
    assert_eq!((int_result(&observation), path(&observation).as_str()), (0, "F"));
}

#[test]
fn trityp() {
    let text = "int f(int i, int j, int k) {
        int trityp = 0;
        if (i == 0 || j == 0 || k == 0) return 4;
        if (i == j) trityp = trityp + 1;
        if (i == k) trityp = trityp + 2;
        if (j == k) trityp = trityp + 3;
        if (trityp == 0) { if (i + j <= k || j + k <= i || i + k <= j) return 4; return 1; }
        if (trityp > 3) return 3;
        if (trityp == 1 && i + j > k) return 2;
        return 4; }";
    check(
        text,
        &[
            (&[0, 1, 2], 4, "T"),
            (&[3, 4, 5], 1, "FFFFFFTFFF"),
            (&[2, 2, 2], 3, "FFFTTTFT"),
            (&[2, 2, 3], 2, "FFFTFFFFTT"),
        ],
    );
}

#[test]
fn merge_writes_its_output() {
    let text = "void f(int t1[], int t2[], int t3[], int l1, int l2) {
        int i = 0, j = 0, k = 0;
        while (i < l1 && j < l2) { if (t1[i] < t2[j]) t3[k++] = t1[i++]; else t3[k++] = t2[j++]; }
        while (i < l1) t3[k++] = t1[i++];
        while (j < l2) t3[k++] = t2[j++]; }";
    let subject = Subject::new(text);
    let mut native = subject.build("f", &Options::default());
    let input = Input {
        arguments: vec![pointer(0), pointer(1), pointer(2), int(2), int(1)],
        objects: vec![ints(&[1, 9]), ints(&[4]), ints(&[0, 0, 0])],
        ..Input::default()
    };
    let observation = native.run(&input).unwrap();
    assert_eq!(path(&observation), "TTTTTFTFTFF");
    assert_eq!(observation.objects[2], ints(&[1, 4, 9]).content.bytes);
    assert!(observation.result.is_empty());
}

#[test]
fn several_units_and_optimisation() {
    let first = "int shared = 3; static int own = 1; int g(int); int f(int a) { return g(a) ? own : shared; }";
    let second = "extern int shared; static int own = 2; int g(int a) { return a > own && shared; }";
    let subject = Subject::units(&[first, second]);
    let options = Options { flags: vec!["-O2".to_owned()], ..Options::default() };
    let mut native = subject.build("f", &options);
    let observation = native.run(&arguments(vec![int(5)])).unwrap();
    assert_eq!((int_result(&observation), path(&observation).as_str()), (1, "TTT"));
}

#[test]
fn agreement_names_the_first_difference() {
    let subject = Subject::new("int f(int a) { if (a) a--; return a ? 1 : 0; }");
    let mut native = subject.build("f", &Options::default());
    let observed = native.run(&arguments(vec![int(1)])).unwrap();
    let mut predicted = observed.path.clone();
    assert_eq!(agrees(predicted.iter().copied(), &observed), Ok(()));
    let Event::Condition { outcome, .. } = &mut predicted[1] else { panic!() };
    *outcome = true;
    let divergence = agrees(predicted.iter().copied(), &observed).unwrap_err();
    assert_eq!((divergence.at, divergence.observed), (1, Some(observed.path[1])));
    predicted.pop();
    assert_eq!(agrees(predicted.iter().copied(), &observed).unwrap_err().predicted, None);
}

#[test]
fn a_long_path_is_cut_and_says_so() {
    let subject = Subject::new("int f(int n) { while (n > 0) n--; return n; }");
    let mut options = Options::default();
    options.limits.trace = 100;
    let mut native = subject.build("f", &options);
    let observation = native.run(&arguments(vec![int(1000)])).unwrap();
    assert_eq!((observation.path.len(), observation.truncated), (100, true));
    assert_eq!(observation.ending, Ending::Returned);
}

/// A trace of seven million words takes some of them; every branch can be had all the same.
#[test]
fn a_long_path_is_compressed_where_it_repeats_itself() {
    let text = "int f(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) {
            switch (i % 3) { case 1: s++; }
            if (i == 700000) s += 2;
        }
        return s > 0; }";
    let subject = Subject::new(text);
    let mut native = subject.build("f", &Options::default());
    let turns = 1_000_000;
    let observation = native.run(&arguments(vec![int(turns)])).unwrap();
    assert!(!observation.truncated);
    assert!(observation.path.len() < 100_000 && !observation.repeats.is_empty());
    let mut events = observation.events();
    for turn in 0..turns {
        let outcome = |event| match event {
            Some(Event::Condition { outcome, .. }) => outcome,
            other => panic!("turn {turn}: {other:?}"),
        };
        assert!(outcome(events.next()));
        let Some(Event::Switch { arm, .. }) = events.next() else { panic!("turn {turn}") };
        assert_eq!(arm, u32::from(turn % 3 != 1), "turn {turn}");
        assert_eq!(outcome(events.next()), turn == 700_000, "turn {turn}");
    }
    assert_eq!(events.count(), 1);
    assert_eq!(agrees(observation.events(), &observation), Ok(()));
}
