//! Check: each test runs in a process of its own, and its exit status or signal can be expected.

use super::{Assertions, Case, Dialect, Plan};
use crate::expectation::{Expectation, signal_name};

/// Check.
pub(super) struct Check;

const ASSERTIONS: Assertions = Assertions {
    signed: "ck_assert_int_eq({actual}, {expected});",
    unsigned: "ck_assert_uint_eq({actual}, {expected});",
    holds: "ck_assert({condition});",
    null: "ck_assert_ptr_null({actual});",
    not_null: "ck_assert_ptr_nonnull({actual});",
    same: "ck_assert_ptr_eq({actual}, {expected});",
    array: "ck_assert_mem_eq({actual}, {expected}, sizeof {expected});",
};

impl Dialect for Check {
    fn headers(&self, _plan: &Plan<'_>) -> String {
        "#include <check.h>\n#include <signal.h>\n".to_owned()
    }

    fn reserved(&self) -> &'static [&'static str] {
        &[]
    }

    fn assertions(&self) -> &'static Assertions {
        &ASSERTIONS
    }

    fn macros(&self) -> &'static [&'static str] {
        &["fail", "fail_if", "fail_unless", "mark_point"]
    }

    fn open(&self, _plan: &Plan<'_>, case: &Case) -> String {
        format!("START_TEST({})\n{{\n", case.function)
    }

    fn close(&self) -> &'static str {
        "}\nEND_TEST\n"
    }

    fn forks(&self) -> bool {
        true
    }

    fn main(&self, plan: &Plan<'_>) -> String {
        let rows = plan.rows(|case| match &case.expectation {
            Expectation::Returns | Expectation::Stops => "    tcase_add_test(tests, {test});\n".to_owned(),
            Expectation::Exits(status) => format!("    tcase_add_exit_test(tests, {{test}}, {status});\n"),
            Expectation::Raises(signal) => {
                format!("    tcase_add_test_raise_signal(tests, {{test}}, {});\n", signal_name(*signal))
            }
            Expectation::Skipped(reason) => {
                format!("    (void){{test}}; /* not run: {} */\n", reason.replace("*/", "* /"))
            }
        });
        let subject = plan.subject;
        format!(
            "\nint main(void)\n{{\n    Suite *suite = suite_create(\"{subject}\");\n    TCase *tests = \
            tcase_create(\"{subject}\");\n    SRunner *runner = srunner_create(suite);\n    int failed;\n    \
            suite_add_tcase(suite, tests);\n{rows}    srunner_run_all(runner, CK_NORMAL);\n    failed = \
            srunner_ntests_failed(runner);\n    srunner_free(runner);\n    return failed != 0;\n}}\n"
        )
    }

    fn libraries(&self) -> &'static [&'static str] {
        &["-lcheck", "-lsubunit", "-lrt", "-lpthread"]
    }
}
