//! Terms and predicates resolved against a small program, printed back as ACSL.

use super::{Definitions, Resolver};
use crate::contract::lex::tokens;
use crate::contract::scope::Site;
use crate::contract::syntax::{ClauseKind, Problem};
use crate::contract::testing::program;
use crate::contract::{parse, types};
use clew_ir::Program;
use clew_ir::contract::print::Printer;
use clew_ir::contract::{Predicate, Term};
use std::collections::BTreeMap;

const DEFINITIONS: &str = "
    predicate sorted{L}(int *t, integer k) = \\forall integer i; 0 < i < k ==> t[i-1] <= t[i];
    predicate same{A, B}(int *t) = \\at(*t, A) == \\at(*t, B);
    predicate positive(integer x) = x > 0;
    logic integer twice(integer x) = 2 * x;
    logic integer loop(integer x) = loop(x - 1);
    predicate seven = g == 7;
    predicate positive(integer x, integer y) = positive(x) && positive(y);";

fn resolved(text: &str) -> Result<(Program, Predicate), Problem> {
    let (mut program, function) = program();
    let names = types::names(&program.ctypes);
    let macros = BTreeMap::new();
    let mut definitions = Definitions::default();
    for clause in parse::clauses(&tokens(DEFINITIONS, 0, &macros).unwrap(), &names) {
        match clause.kind {
            ClauseKind::Define(definition) => definitions.add(&definition),
            other => panic!("{other:?}"),
        };
    }
    let expr = parse::expression(&tokens(text, 0, &macros)?, &names)?;
    let site = Site::Contract { function, names: vec!["first".to_owned()] };
    let predicate = Resolver::new(&mut program, &definitions, site).predicate(&expr)?;
    Ok((program, predicate))
}

/// What a predicate means, or what is wrong with it and where.
fn check(text: &str, expect: &str) {
    let found = match resolved(text) {
        Ok((program, predicate)) => {
            let function = &program.functions[program.function("f").unwrap()];
            Printer::new(&program, function).predicate(&predicate)
        }
        Err(problem) => format!("{}: {}", &text[problem.at.start as usize..problem.at.end as usize], problem.message),
    };
    assert_eq!(found, expect, "{text}");
}

/// What is printed is read back to the same.
fn round_trip(text: &str) {
    check(text, text);
}

#[test]
fn connectives_and_comparisons() {
    round_trip("0 <= n <= 10000 && 0 <= g <= 10");
    round_trip("n == 1 ==> g == 2 ==> u == 3");
    round_trip("(n == 1 ==> g == 2) ==> u == 3");
    round_trip("n < 0 <==> g < 0");
    round_trip("(n < 0 || g < 0) && !(u == 1 ^^ n == 2)");
    round_trip("n > 0 ? g == 1 : g == 2");
    check("n", "n != 0");
    check("a", "a != \\null");
    check("!(n & 1)", "!((n & 1) != 0)");
    check("n & 1 == 1", "(n & 1 == 1) != 0");
    check("positivity: n > 0", "n > 0");
    check("0 < n > 1", ">: comparisons chain only in one direction");
}

#[test]
fn arithmetic_and_casts() {
    round_trip("n + 1 == g - (2 - u) * 3 / 4 % 5");
    round_trip("(n << 1) + (g >> 2) == (n & g | u ^ ~n)");
    round_trip("-n == -5");
    round_trip("(unsigned char)n == u");
    round_trip("d * 2 > 0.5 && d == h + 1");
    round_trip("(n > 0 ? n : -n) == \\abs(n)");
    check("(word)n == (short)n", "(word)n == (short)n");
    check("sizeof(struct point) + sizeof(g) + sizeof(long)", "32 + 4 + 8 != 0");
    check("n == BLUE", "n == 5");
    check("\\max(n, d) >= 1.0f", "\\max(n, d) >= (float)1.0");
    check("d % 2 == 0", "d: expected an integer, found a real");
    check("(struct point)n == 1", "(struct point)n: `int` cannot be cast to `struct point`");
}

#[test]
fn places() {
    round_trip("a[n] == *a");
    round_trip("p->x == p->next->tags[2] + p->lo");
    round_trip("table[n] == table[0] && grid[1][2] == 3");
    check("p[3].x == (*(p + 1)).x", "p[3].x == p[1].x");
    round_trip("&g == a && &p->x == a");
    round_trip("p->tags == a");
    round_trip("a + 1 == &a[2] && a - table == 3");
    check("first[0] == a[0]", "a[0] == a[0]");
    check("p->y == 1", "p->y: `struct point` has no member `y`");
    check("*v == 1", "*v: nothing can be read through this pointer");
    check("m == 1", "m: `m` is not known here");
    check("n[1] == 1", "n[1]: expected a pointer, found `int`");
    check("a == 5", "5: a pointer is compared with a number");
    check("a == 0 && a != \\null", "a == \\null && a != \\null");
}

#[test]
fn memory_and_states() {
    round_trip("\\valid(a + (0 .. n - 1)) && \\valid_read(&g)");
    round_trip("\\separated(a + (0 .. n - 1), &g, p)");
    round_trip("\\initialized(&table[0 .. 3]) || \\valid(p->tags + (..))");
    round_trip("\\result == \\at(n, Pre) + \\at(*a, Pre)");
    round_trip("\\at(g == 1, Pre)");
    check("\\result == \\old(*a) && \\old(g == 1)", "\\result == \\at(*a, Pre) && \\at(g == 1, Pre)");
    check("\\old(*p).x == 1", "\\at(p->x, Pre) == 1");
    check("\\valid{Pre}(a)", "\\at(\\valid(a), Pre)");
    check("\\valid(n)", "n: expected a pointer, found `int`");
    check("\\is_finite(d) && \\le_float(h, h)", "\\is_finite(d) && \\le_float(h, h)");
    check("\\unknown(d)", "\\unknown(d): `\\unknown` is not supported");
    check("\\block_length(a) >= 4 * n", "\\block_length(a) >= 4 * n");
}

#[test]
fn binders() {
    round_trip("\\forall integer i; 1 <= i < n ==> a[i - 1] <= a[i]");
    round_trip("\\exists integer i, integer j; 0 <= i < j < n && a[i] == a[j]");
    round_trip("\\let x = n + 1; x * x > 4");
    round_trip("\\sum(0, n - 1, \\lambda integer i; a[i]) <= 100");
    check("\\forall integer i, j; i < j", "\\forall integer i, integer j; i < j");
    check("\\let big = n > 10; big ==> g == 1", "n > 10 ==> g == 1");
    check("\\numof(0, 3, \\lambda integer i; a[i] > 0) == 1", "\\numof(0, 3, \\lambda integer i; a[i] > 0) == 1");
    check("n > 0 && \\forall integer i; a[i] > 0 && n < 3", "n > 0 && (\\forall integer i; a[i] > 0 && n < 3)");
}

#[test]
fn definitions() {
    check("sorted(a, n)", "\\forall integer i; 0 < i < n ==> a[i - 1] <= a[i]");
    check("sorted{Pre}(a, g)", "\\let k = g; \\at(\\forall integer i; 0 < i < k ==> a[i - 1] <= a[i], Pre)");
    check("same{Pre, Here}(a)", "\\at(*a, Pre) == \\at(*a, Here)");
    check("positive(n + 1) && twice(g) == 4 && seven", "n + 1 > 0 && 2 * g == 4 && g == 7");
    check("positive(n, g)", "n > 0 && g > 0");
    let recursive = "loop(1): in the definition of `loop`: `loop` is recursive, which is not supported";
    check("loop(1) == 1", recursive);
    check("sorted(a)", "sorted(a): `sorted` takes 2 arguments, found 1");
    check("strlen(v) == 1", "strlen(v): `strlen` is no predicate or function of the logic");
}

#[test]
fn printed_names_capture_nothing() {
    check("\\forall integer n; n > g", "\\forall integer n_0; n_0 > g");
    check(
        "\\forall integer i; 0 < i < 3 ==> sorted(a, i)",
        "\\forall integer i; 0 < i < 3 ==> (\\forall integer i_1; 0 < i_1 < i ==> a[i_1 - 1] <= a[i_1])",
    );
}

#[test]
fn bounds_of_quantifiers() {
    let bounds = |text: &str| {
        let (program, predicate) = resolved(text).unwrap();
        let Predicate::Quantified { binders, .. } = predicate else { panic!("no quantifier") };
        let function = &program.functions[program.function("f").unwrap()];
        let show = |term: &Option<Term>| term.as_ref().map(|it| Printer::new(&program, function).term(it));
        let one = |it: &clew_ir::contract::Binder| {
            format!("{}..{}", show(&it.low).unwrap_or_default(), show(&it.high).unwrap_or_default())
        };
        binders.iter().map(one).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(bounds("\\forall integer i; 1 <= i < n ==> a[i] > 0"), "1..n - 1");
    assert_eq!(bounds("\\forall integer i; n > i ==> 0 <= i ==> a[i] > 0"), "0..n - 1");
    assert_eq!(bounds("\\exists integer i; 0 <= i <= 7 && a[i] > 0"), "0..7");
    assert_eq!(bounds("\\forall integer i, j; 0 <= i < j < n ==> a[i] < a[j]"), "0..n - 1 - 1 i + 1..n - 1");
    assert_eq!(bounds("\\forall integer i, j, k; 0 <= i <= j <= k < n ==> a[i] < a[k]"), "0..n - 1 i..n - 1 j..n - 1");
    assert_eq!(bounds("\\forall int i, j; 0 <= i <= j < n ==> a[i] < a[j]"), "0..n - 1 i..n - 1");
    assert_eq!(bounds("\\exists integer i, j; 7 >= i > j >= 0 && a[i] == a[j]"), "1..7 0..i - 1");
    assert_eq!(bounds("\\forall unsigned char c; c < n ==> c != 1"), "0..n - 1");
    assert_eq!(bounds("\\forall integer i; a[i] > 0"), "..");
    assert_eq!(bounds("\\forall integer i; i < 10 || a[i] > 0"), "..");
}
