//! Bad specifications: each gives a message at the right place, and nothing overflows the stack.

use clew_frontend_rules::{Message, Options, load, load_expression, termination};

const NAT: &str = "data nat = 0 | S nat. data bool = True | False. data list a = Nil | Cons a (list a).\n";

/// The messages of a text after some data types, each with the text it points at.
fn mistakes(text: &str) -> Vec<(String, String)> {
    let text = format!("{NAT}{text}");
    let messages = load(&text, Options::default()).expect_err("it has a mistake");
    let shown = |message: &Message| {
        (text[message.span.start as usize..message.span.end as usize].to_owned(), message.text.clone())
    };
    messages.iter().map(shown).collect()
}

/// A text has one mistake, at a place, with a message that contains some words.
fn check(text: &str, place: &str, words: &str) {
    let found = mistakes(text);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].0, place, "{found:#?}");
    assert!(found[0].1.contains(words), "{found:#?}");
    assert!(!found[0].1.ends_with('.') && !found[0].1.contains('\n'), "one sentence without a full stop: {found:#?}");
}

#[test]
fn variables() {
    check("function f := <f.r1> (f n) -> m.", "m", "unbound");
    check("function f := <f.r1> n -> (S p), (f q) -> 0 => (f n) -> p.", "q", "unbound");
    check("function f := <f.r1> xs -> (Cons p p) => (f xs) -> p.", "p", "linear");
    check("function f := <f.r1> n -> (S m) => (f n m) -> m.", "m", "fresh");
    check("function f := <f.r1> (f n n) -> n.", "n", "distinct");
    check("function f := <f.r1> (f (S n)) -> 0.", "(S n)", "must be a variable");
}

#[test]
fn names_and_arities() {
    check("function f := <f.r1> n -> (S p q) => (f n) -> p.", "(S p q)", "takes 1 argument, not 2");
    check("function f := <f.r1> n -> (S p) => (f n) -> (f p p).", "(f p p)", "takes 1 argument, not 2");
    check("function f := <f.r1> (f n) -> (g n).", "g", "no constructor or function");
    check(
        "function f := <f.r1> (f n) -> n; <f.r2> (f n m) -> n.",
        "(f n m)",
        "1 arguments in its first rule and 2 here",
    );
    check("function f := <f.r1> (g n) -> n.", "(g n)", "rewrites `g`");
    check("function f := <f.r1> (f n) -> n; <f.r1> (f n) -> n.", "f.r1", "two rules");
    check("data tree = Leaf | Leaf.", "Leaf", "declared twice");
    check("data tree = Leaf (list).", "list", "takes 1 parameters, not 0");
    check("data tree = Leaf forest.", "forest", "no data type");
    check("function f := <f.r1> (S n) -> m => (f n) -> m.", "(S n)", "variable or a call");
    check("function g := <g.r1> (g n) -> n. function f := <f.r1> n -> (g p) => (f n) -> p.", "g", "is a function");
}

#[test]
fn types() {
    check("function f := <f.r1> n -> 0 => (f n) -> 0; <f.r2> n -> Nil => (f n) -> 0.", "Nil", "`list a`, not `nat`");
    check("function f := <f.r1> n -> (S p) => (f n) -> (S True).", "True", "`bool`, not `nat`");
    check("function f := <f.r1> (f x) -> (Cons x x).", "x", "infinite type");
    check("function f : nat -> bool := <f.r1> (f x) -> x.", "x", "`nat`, not `bool`");
    check("data loop = Again loop | More nat loop.", "loop", "no base case");
}

#[test]
fn two_types_without_base_case_are_two_messages() {
    assert_eq!(mistakes("data one = One two. data two = Two one.").len(), 2);
}

#[test]
fn recursion() {
    check("function f := <f.r1> (f n) -> p => (f n) -> p.", "(f n)", "left recursion");
    check("function f := <f.r1> n -> (S p) => (f n) -> (S (f n)).", "(f n)", "left recursion");
}

#[test]
fn syntax() {
    check("function f := <f.r1> (f n) -> .", ".", "expected an expression");
    check("function f := <f.r1> (f n) n.", "n", "only a name can be applied");
    check("function f := <f.r1> (f n) -> n", "", "`;` and a rule");
    check("data t = .", ".", "name of a constructor");
    check("nonsense", "nonsense", "`data` or `function`");
    check("data t = T $.", "$", "no word");
    check("(* data t = T.", "(*", "does not end");
    check("function f := <f.r1> n -> (S p, m -> 0 => (f n) -> n.", ",", "expected an expression or `)`");
    check("function f := <f.r1> (f n) -> (n + n).", "+", "--integers");
}

#[test]
fn equality_needs_truth_values() {
    let text = "data nat = 0 | S nat. function f := <f.r1> (n == m) -> 0 => (f n m) -> 0.";
    let messages = load(text, Options::default()).expect_err("there are no truth values");
    assert!(messages[0].text.contains("data bool"), "{messages:#?}");
}

#[test]
fn polymorphic_functions_are_general() {
    let text = format!(
        "{NAT} function append := <append.r1> xs -> Nil => (append xs ys) -> ys; <append.r2> xs -> (Cons x zs)
         => (append xs ys) -> (Cons x (append zs ys)).
         function f := <f.r1> (f n b) -> (append (append (Cons n Nil) Nil) (g (append (Cons b Nil) Nil))).
         function g := <g.r1> (g bs) -> Nil."
    );
    let spec = load(&text, Options::default()).unwrap_or_else(|messages| panic!("{messages:#?}"));
    let append = &spec.functions[spec.function("append").expect("it is there").index()];
    assert_eq!(append.type_params, 1);
}

#[test]
fn suspected_non_termination() {
    let suspects = |text: &str| {
        let spec = load(&format!("{NAT}{text}"), Options::default()).unwrap_or_else(|messages| panic!("{messages:#?}"));
        termination::suspects(&spec).len()
    };
    assert_eq!(suspects("function f := <f.r1> n -> (S p) => (f n) -> (f p)."), 0);
    assert_eq!(suspects("function f := <f.r1> n -> (S p) => (f n) -> (f (S n))."), 1);
    // Two arguments in turn: each call makes one smaller, and keeps the other.
    assert_eq!(suspects("function f := <f.r1> n -> (S p) => (f n m) -> (f m p)."), 0);
    assert_eq!(suspects("function f := <f.r1> (f n) -> (g n). function g := <g.r1> (g n) -> (f n)."), 2);
    // Ackermann's function ends, though only the pair gets smaller.
    let ackermann =
        "function a := <a.r1> m -> 0 => (a m n) -> (S n); <a.r2> m -> (S p), n -> 0 => (a m n) -> (a p (S 0));
                     <a.r3> m -> (S p), n -> (S q) => (a m n) -> (a p (a m q)).";
    assert_eq!(suspects(ackermann), 0);
}

#[test]
fn deep_terms_do_not_overflow_the_stack() {
    const DEEP: usize = 100_000;
    let deep = format!("{}0{}", "(S ".repeat(DEEP), ")".repeat(DEEP));
    let text = format!("{NAT} function f := <f.r1> n -> {deep} => (f n) -> {deep}.");
    let mut spec = load(&text, Options::default()).unwrap_or_else(|messages| panic!("{messages:#?}"));
    assert!(termination::suspects(&spec).is_empty());
    load_expression(&mut spec, &deep).expect("a deep term is right");
    let pairs = format!("{}0{}", "(Cons ".repeat(DEEP), " Nil)".repeat(DEEP));
    let text = format!("{NAT} function f := <f.r1> (f n) -> {pairs}.");
    let messages = load(&text, Options::default()).expect_err("its type is as deep as the term");
    assert!(messages[0].text.contains("too large"));
}
