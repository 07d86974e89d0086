//! Contracts read from C files and printed back.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use clew_frontend::{Loaded, Options, load};
use clew_ir::contract::print::Printer;

/// A program loaded from text.
fn loaded(name: &str, text: &str) -> Loaded {
    let path = std::env::temp_dir().join(format!("clew-contract-{name}-{}.c", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let loaded = load(&Options::file(&path)).unwrap();
    std::fs::remove_file(&path).unwrap();
    loaded
}

/// The contract, assertions and loop clauses of a function, and all diagnostics, one per line.
fn described(loaded: &Loaded, function: &str) -> String {
    let program = &loaded.program;
    let function = &program.functions[program.function(function).unwrap()];
    let printer = Printer::new(program, function);
    let mut lines: Vec<String> = printer.contract(&function.contract).lines().map(str::to_owned).collect();
    lines.extend(function.contract.assertions.iter().map(|it| format!("assert {};", printer.clause(&it.clause))));
    for about in &function.contract.loops {
        lines.extend(about.invariants.iter().map(|it| format!("loop invariant {};", printer.clause(it))));
        lines.extend(about.variant.iter().map(|it| format!("loop variant {};", printer.term(&it.term))));
    }
    for diagnostic in &loaded.diagnostics {
        lines.push(format!("{}: {}", diagnostic.severity.name(), diagnostic.message));
    }
    lines.join("\n")
}

fn check(name: &str, text: &str, function: &str, expect: &str) {
    let expect: Vec<&str> = expect.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let found = described(&loaded(name, text), function);
    let found: Vec<&str> = found.lines().map(str::trim).collect();
    assert_eq!(found, expect, "{name}");
}

#[test]
fn preconditions_of_merge() {
    let text = r"
        /*@ requires 0 <= l1 <= 10000 && 0 <= l2 <= 10000;
            requires \valid_read(t1+(0..l1-1)) && \valid_read(t2+(0..l2-1)) && \valid(t3+(0..l1+l2-1));
            requires \forall integer i; 1 <= i < l1 ==> t1[i-1] <= t1[i]; */
        void Merge(int t1[], int t2[], int t3[], int l1, int l2) { t3[0] = t1[l1] + t2[l2]; }";
    let expect = r"
        requires 0 <= l1 <= 10000 && 0 <= l2 <= 10000;
        requires \valid_read(t1 + (0 .. l1 - 1)) && \valid_read(t2 + (0 .. l2 - 1)) && \valid(t3 + (0 .. l1 + l2 - 1));
        requires \forall integer i; 1 <= i < l1 ==> t1[i - 1] <= t1[i];";
    check("merge", text, "Merge", expect);
}

#[test]
fn structures_enumerations_typedefs_and_macros() {
    let text = r"
        #include <limits.h>
        #include <stddef.h>
        #define SIZE 8
        enum { DEPTH = SIZE / 2, MORE };
        enum state { IDLE, BUSY = 4 };
        typedef unsigned short word;
        struct queue { enum state state; word items[SIZE]; struct queue *next; union { int i; float f; }; };
        static struct queue first;
        /*@ requires q != NULL && \valid(q) && q->state == BUSY && MORE > 4;
            requires \forall size_t i; i < SIZE ==> q->items[i] < USHRT_MAX;
            requires q->next == \null || q->next->i > INT_MIN;
            assigns q->items[0 .. SIZE - 1], first.state;
            ensures \result == (int)(word)(\old(q->items[0]) + 1) && sizeof(struct queue) > 0; */
        int put(struct queue *q) { first = *q; return q->items[0]++; }";
    let expect = r"
        requires q != \null && \valid(q) && q->state == 4 && 5 > 4;
        requires \forall size_t i; i < 8 ==> q->items[i] < 32767 * 2 + 1;
        requires q->next == \null || q->next->i > -2147483647 - 1;
        assigns q->items[0 .. 8 - 1], first.state;
        ensures \result == (int)(word)(\at(q->items[0], Pre) + 1) && 40 > 0;";
    check("structures", text, "put", expect);
}

#[test]
fn assertions_loops_and_shadowing() {
    let text = r"
        /*@ predicate below(int *t, integer n, integer m) = \forall integer k; 0 <= k < n ==> t[k] <= m; */
        /*@ behavior empty: assumes n == 0; ensures \result == 0;
            behavior full: assumes n > 0; ensures below(t, n, \result);
            complete behaviors; */
        int max(int *t, int n) {
            int m = 0;
            /*@ loop invariant 0 <= i <= n && below(t, i, m);
                loop assigns i, m;
                loop variant n - i; */
            for (int i = 0; i < n; i++) {
                int x = t[i];
                { long x = 3; (void)x; }
                //@ assert x == t[i];
                if (x > m) m = x;
            }
            /*@ assert below(t, n, m); */
            return m;
        }";
    let expect = r"
        behavior empty:
        assumes n == 0;
        ensures \result == 0;
        behavior full:
        assumes n > 0;
        ensures \forall integer k; 0 <= k < n ==> t[k] <= \result;
        complete behaviors empty, full;
        assert x == t[i];
        assert \forall integer k; 0 <= k < n ==> t[k] <= m;
        loop invariant 0 <= i <= n && (\forall integer k; 0 <= k < i ==> t[k] <= m);
        loop variant n - i;";
    check("loops", text, "max", expect);
}

#[test]
fn a_prototype_has_its_own_names() {
    let text = r"
        /*@ requires size > 0 && \valid(buffer + (0 .. size - 1)); */
        int fill(char *buffer, unsigned size);
        int fill(char *b, unsigned n) { b[0] = 1; return n; }";
    check("prototype", text, "fill", r"requires n > 0 && \valid(b + (0 .. n - 1));");
}

#[test]
fn what_is_wrong_is_said_at_its_line() {
    let text = "/*@ requires x > 0;\n    requires y > 0;\n    ghost int z; */\nint f(int x) { return x; }";
    let loaded = loaded("wrong", text);
    let expect = "requires x > 0;\nwarning: `y` is not known here\nunsupported: `ghost` is not supported in contracts; it is ignored";
    assert_eq!(described(&loaded, "f"), expect);
    let line = |index: usize| match &loaded.diagnostics[index].place {
        clew_frontend::diagnostic::Place::Span(span) => loaded.program.sources.locate(*span).unwrap().line,
        other => panic!("{other:?}"),
    };
    assert_eq!((line(0), line(1)), (2, 3));
    let contract = &loaded.program.functions[loaded.program.function("f").unwrap()].contract;
    assert_eq!(contract.rejected.iter().map(|it| it.clause.as_str()).collect::<Vec<_>>(), ["requires", "ghost"]);
}

#[test]
fn hostile_contracts_do_no_harm() {
    let deep = format!("/*@ requires {}x{} > 0; */ int f(int x) {{ return x; }}", "(".repeat(5000), ")".repeat(5000));
    let long = format!("/*@ requires {}x > 0; */ int f(int x) {{ return x; }}", "x + ".repeat(20_000));
    let unclosed = "/*@ requires \\valid( */ int f(int x) { return x; }".to_owned();
    let bombs = "/*@ predicate a(integer x) = x > 0 && x > 0;".to_owned()
        + &(0..30).fold(String::new(), |text, n| {
            let (this, last) = (format!("p{n}"), if n == 0 { "a".to_owned() } else { format!("p{}", n - 1) });
            text + &format!(" predicate {this}(integer x) = {last}(x) && {last}(x);")
        })
        + " */ /*@ requires p29(x); */ int f(int x) { return x; }";
    for (name, text) in [("deep", deep), ("long", long), ("unclosed", unclosed), ("bombs", bombs)] {
        assert!(!loaded(name, &text).diagnostics.is_empty(), "{name}");
    }
}
