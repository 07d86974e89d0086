//! Criterion: each test runs in a process of its own, registers itself, and says how it ends.

use super::{Assertions, Case, Dialect, Plan};
use crate::expectation::{Expectation, signal_name};

/// Criterion.
pub(super) struct Criterion;

const ASSERTIONS: Assertions = Assertions {
    signed: "cr_assert_eq({actual}, {expected});",
    unsigned: "cr_assert_eq({actual}, {expected});",
    holds: "cr_assert({condition});",
    null: "cr_assert_null({actual});",
    not_null: "cr_assert_not_null({actual});",
    same: "cr_assert_eq({actual}, {expected});",
    array: "cr_assert_arr_eq({actual}, {expected}, sizeof {expected});",
};

impl Dialect for Criterion {
    fn headers(&self, _plan: &Plan<'_>) -> String {
        "#include <criterion/criterion.h>\n#include <signal.h>\n".to_owned()
    }

    fn reserved(&self) -> &'static [&'static str] {
        &[]
    }

    fn assertions(&self) -> &'static Assertions {
        &ASSERTIONS
    }

    fn open(&self, plan: &Plan<'_>, case: &Case) -> String {
        let option = match &case.expectation {
            Expectation::Returns | Expectation::Stops => String::new(),
            Expectation::Exits(status) => format!(", .exit_code = {status}"),
            Expectation::Raises(signal) => format!(", .signal = {}", signal_name(*signal)),
            Expectation::Skipped(_) => ", .disabled = true".to_owned(),
        };
        format!("Test({}, {}{option})\n{{\n", plan.subject, case.function)
    }

    fn forks(&self) -> bool {
        true
    }

    fn main(&self, _plan: &Plan<'_>) -> String {
        String::new()
    }

    fn libraries(&self) -> &'static [&'static str] {
        &["-lcriterion"]
    }
}
