//! The examples of Gouraud and Gotlieb (PADL 2006), with the errata applied.

use super::{outcome, shown, spec, verdicts};
use clew_frontend_rules::load_expression;
use clew_rules::evaluate;

const PLUS: &str = "
data nat = 0 | S nat.
function plus :=
  <plus.r1> n -> 0 => (plus n m) -> m;
  <plus.r2> n -> (S p) => (plus n m) -> (S (plus p m)).
";

const PUSH: &str = "
data list a = Nil | Cons a (list a).
data value = Bool | Byte.
data state = Jcvm_state (list value) (list value) (list frame).
data frame = Frame (list value).
data code = State_error.
data result = Normal state | Abnormal code state.
function stack_f := <stack_f.r1> st -> (Jcvm_state sh he fr) => (stack_f st) -> fr.
function abortCode := <abortCode.r1> (abortCode c st) -> (Abnormal c st).
function result_push :=
  <result_push.r1> h -> (Frame s) => (result_push t h st) -> (Frame (Cons t s)).
function update_frame :=
  <update_frame.r1> st -> (Jcvm_state sh he fr), fr -> (Cons h lf)
    => (update_frame f st) -> (Normal (Jcvm_state sh he (Cons f lf)));
  <update_frame.r2> st -> (Jcvm_state sh he fr), fr -> Nil => (update_frame f st) -> (Abnormal State_error st).
function push :=
  <push_r1> (stack_f st) -> Nil => (push t x st) -> (abortCode State_error st);
  <push_r2> (stack_f st) -> (Cons h lf) => (push t x st) -> (update_frame (result_push t h st) st).
";

#[test]
fn plus_has_two_tests() {
    let spec = spec(PLUS);
    let outcome = outcome(&spec);
    assert_eq!(outcome.tests.len(), 2);
    assert_eq!(shown(&spec, &outcome, "plus.r1"), "0, m -> m");
    assert_eq!(shown(&spec, &outcome, "plus.r2"), "S p, m -> S (plus p m)");
}

#[test]
fn plus_is_evaluated() {
    let mut spec = spec(PLUS);
    let root = load_expression(&mut spec, "plus 0 (plus (S 0) 0)").expect("it is right");
    let evaluation = evaluate::expression(&spec, root, 1_000);
    let results: Vec<String> = evaluation.results.iter().map(|tree| tree.show(&spec, &[])).collect();
    assert_eq!(results, ["S 0"]);
}

#[test]
fn push_has_an_abnormal_and_a_normal_test() {
    let spec = spec(PUSH);
    let outcome = outcome(&spec);
    assert!(verdicts(&spec, &outcome).iter().all(|(_, word)| *word == "covered"));
    assert_eq!(
        shown(&spec, &outcome, "push_r1"),
        "t, x, Jcvm_state sh he Nil -> Abnormal State_error (Jcvm_state sh he Nil)"
    );
    assert_eq!(
        shown(&spec, &outcome, "push_r2"),
        "t, x, Jcvm_state sh he (Cons h lf) -> update_frame (result_push t h (Jcvm_state sh he (Cons h lf))) \
         (Jcvm_state sh he (Cons h lf))"
    );
}
