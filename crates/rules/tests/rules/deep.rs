//! Deep terms: 100,000 constructors overflow no stack, neither when they are made nor when they are dropped.

use super::{outcome, spec};
use clew_frontend_rules::load_expression;
use clew_rules::evaluate;

const DEEP: usize = 100_000;

/// A natural as a term.
fn nat(number: usize) -> String {
    format!("{}0{}", "(S ".repeat(number), ")".repeat(number))
}

#[test]
fn deep_terms_are_evaluated() {
    let text = "data nat = 0 | S nat. function plus := <plus.r1> n -> 0 => (plus n m) -> m;
        <plus.r2> n -> (S p) => (plus n m) -> (S (plus p m)).";
    let mut spec = spec(text);
    let root = load_expression(&mut spec, &format!("plus {} (S 0)", nat(DEEP))).expect("it is right");
    let evaluation = evaluate::expression(&spec, root, 10_000_000);
    assert!(evaluation.is_complete);
    assert_eq!(evaluation.results[0].size(), DEEP + 2);
    assert!(evaluation.results[0].show(&spec, &[]).starts_with("S (S (S "));
}

#[test]
fn deep_patterns_have_tests() {
    let deep = nat(DEEP);
    let spec = spec(&format!("data nat = 0 | S nat. function f := <f.r1> n -> {deep} => (f n) -> (S n)."));
    let outcome = super::generate(&spec, &super::Config::new(&spec));
    assert_eq!(outcome.tests[0].args[0].size(), DEEP + 1);
    assert_eq!(outcome.tests[0].results[0].size(), DEEP + 2);
}

#[test]
fn endless_recursion_has_no_value() {
    let spec = spec(
        "data nat = 0 | S nat. function f := <f.r1> n -> (S p) => (f n) -> (g n).
        function g := <g.r1> n -> (S p) => (g n) -> (f n).",
    );
    let outcome = outcome(&spec);
    assert_eq!(outcome.tests.len(), 2);
    assert!(outcome.tests.iter().all(|test| test.results.is_empty() && test.is_complete));
}

#[test]
fn induction_proves_that_a_rule_never_fires() {
    let spec = spec(
        "data nat = 0 | S nat. data bool = True | False.
        function double := <double.r1> n -> 0 => (double n) -> 0;
          <double.r2> n -> (S p) => (double n) -> (S (S (double p))).
        function even := <even.r1> n -> 0 => (even n) -> True; <even.r2> n -> (S p), p -> 0 => (even n) -> False;
          <even.r3> n -> (S p), p -> (S q) => (even n) -> (even q).
        function f := <f.r1> (even (double n)) -> True => (f n) -> n; <f.r2> (even (double n)) -> False => (f n) -> 0.",
    );
    let words: Vec<_> =
        super::verdicts(&spec, &outcome(&spec)).into_iter().filter(|(_, word)| *word != "covered").collect();
    assert_eq!(words, [("f.r2".to_owned(), "infeasible")]);
}
