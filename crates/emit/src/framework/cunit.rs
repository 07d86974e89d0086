//! CUnit: a registry of suites, run by the basic interface.

use super::{Assertions, Case, Dialect, Plan};
use crate::expectation::Expectation;

/// CUnit.
pub(super) struct Cunit;

const ASSERTIONS: Assertions = Assertions {
    signed: "CU_ASSERT_EQUAL({actual}, {expected});",
    unsigned: "CU_ASSERT_EQUAL({actual}, {expected});",
    holds: "CU_ASSERT({condition});",
    null: "CU_ASSERT_PTR_NULL({actual});",
    not_null: "CU_ASSERT_PTR_NOT_NULL({actual});",
    same: "CU_ASSERT_PTR_EQUAL({actual}, {expected});",
    array: "CU_ASSERT(memcmp({actual}, {expected}, sizeof {expected}) == 0);",
};

impl Dialect for Cunit {
    fn headers(&self, _plan: &Plan<'_>) -> String {
        "#include <CUnit/Basic.h>\n#include <string.h>\n".to_owned()
    }

    fn reserved(&self) -> &'static [&'static str] {
        &[]
    }

    fn assertions(&self) -> &'static Assertions {
        &ASSERTIONS
    }

    fn open(&self, _plan: &Plan<'_>, case: &Case) -> String {
        format!("static void {}(void)\n{{\n", case.function)
    }

    fn main(&self, plan: &Plan<'_>) -> String {
        let subject = plan.subject;
        let suite = match plan.restore {
            Some(restore) => {
                format!("CU_add_suite_with_setup_and_teardown(\"{subject}\", NULL, NULL, {restore}, NULL)")
            }
            None => format!("CU_add_suite(\"{subject}\", NULL, NULL)"),
        };
        let rows = plan.rows(|case| match &case.expectation {
            Expectation::Skipped(_) => {
                format!("    {}CU_set_test_active(CU_ADD_TEST(suite, {{test}}), CU_FALSE);\n", plan.guard())
            }
            _ => format!("    {}CU_ADD_TEST(suite, {{test}});\n", plan.guard()),
        });
        format!(
            "\nint main(void)\n{{\n    CU_pSuite suite;\n    unsigned failed;\n{}    CU_initialize_registry();\n    \
            suite = {suite};\n{rows}    CU_set_fail_on_inactive(CU_FALSE);\n    CU_basic_run_tests();\n    failed = \
            CU_get_number_of_tests_failed();\n    CU_cleanup_registry();\n    return failed != 0;\n}}\n",
            plan.apart()
        )
    }

    fn libraries(&self) -> &'static [&'static str] {
        &["-lcunit"]
    }
}
