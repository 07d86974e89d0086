//! CMocka: tests take a state, mocks give what `will_return` queued.

use super::{Assertions, Case, Dialect, Plan};
use crate::expectation::Expectation;

/// CMocka.
pub(super) struct Cmocka;

const ASSERTIONS: Assertions = Assertions {
    signed: "assert_int_equal({actual}, {expected});",
    unsigned: "assert_int_equal({actual}, {expected});",
    holds: "assert_true({condition});",
    null: "assert_null({actual});",
    not_null: "assert_non_null({actual});",
    same: "assert_ptr_equal({actual}, {expected});",
    array: "assert_memory_equal({actual}, {expected}, sizeof {expected});",
};

/// What programs may have functions named as.
const MACROS: [&str; 18] = [
    "check_expected",
    "expect_any",
    "expect_check",
    "expect_memory",
    "expect_string",
    "expect_value",
    "fail",
    "fail_msg",
    "function_called",
    "mock",
    "run_test",
    "run_tests",
    "skip",
    "test_calloc",
    "test_free",
    "test_malloc",
    "test_realloc",
    "unit_test",
];

impl Dialect for Cmocka {
    fn headers(&self, _plan: &Plan<'_>) -> String {
        "#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n#include <cmocka.h>\n"
            .to_owned()
    }

    fn reserved(&self) -> &'static [&'static str] {
        &["set_up", "state"]
    }

    fn assertions(&self) -> &'static Assertions {
        &ASSERTIONS
    }

    fn catches_signals(&self) -> bool {
        true
    }

    fn macros(&self) -> &'static [&'static str] {
        &MACROS
    }

    fn open(&self, plan: &Plan<'_>, case: &Case) -> String {
        let skip = match &case.expectation {
            Expectation::Skipped(_) if (plan.is_function)("skip") => "    _skip(__FILE__, __LINE__);\n",
            Expectation::Skipped(_) => "    skip();\n",
            _ => "",
        };
        let state = plan.name("state");
        format!("static void {}(void **{state})\n{{\n    (void){state};\n{skip}", case.function)
    }

    fn main(&self, plan: &Plan<'_>) -> String {
        let (name, state) = (plan.name("set_up"), plan.name("state"));
        let set_up = plan.restore.map(|restore| {
            format!(
                "\nstatic int {name}(void **{state})\n{{\n    (void){state};\n    {restore}();\n    return 0;\n}}\n"
            )
        });
        let rows = plan.rows(|_| match set_up {
            Some(_) => format!("        cmocka_unit_test_setup({{test}}, {name}),\n"),
            None => "        cmocka_unit_test({test}),\n".to_owned(),
        });
        let (run, alone) = match plan.isolated {
            true => ("alone", "    const struct CMUnitTest alone[] = {tests[only - 1]};\n"),
            false => ("tests", ""),
        };
        format!(
            "{}\nint main(void)\n{{\n    const struct CMUnitTest tests[] = {{\n{rows}    }};\n{}{alone}    return \
            cmocka_run_group_tests_name(\"{}\", {run}, NULL, NULL);\n}}\n",
            set_up.unwrap_or_default(),
            plan.apart(),
            plan.subject
        )
    }

    fn libraries(&self) -> &'static [&'static str] {
        &["-lcmocka"]
    }

    fn mock(&self) -> Option<[&'static str; 2]> {
        Some(["mock_type({type})", "will_return({function}, {value});"])
    }
}
