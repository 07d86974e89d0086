//! Unity (ThrowTheSwitch): `RUN_TEST` calls `setUp` before each test.

use super::{Assertions, Case, Dialect, Plan};
use crate::expectation::Expectation;

/// Unity.
pub(super) struct Unity;

const ASSERTIONS: Assertions = Assertions {
    signed: "TEST_ASSERT_EQUAL_INT{bits}({expected}, {actual});",
    unsigned: "TEST_ASSERT_EQUAL_UINT{bits}({expected}, {actual});",
    holds: "TEST_ASSERT({condition});",
    null: "TEST_ASSERT_NULL({actual});",
    not_null: "TEST_ASSERT_NOT_NULL({actual});",
    same: "TEST_ASSERT_EQUAL_PTR({expected}, {actual});",
    array: "TEST_ASSERT_EQUAL_{sign}INT{bits}_ARRAY({expected}, {actual}, sizeof {expected} / sizeof *{expected});",
};

impl Dialect for Unity {
    fn headers(&self, _plan: &Plan<'_>) -> String {
        "#include <unity.h>\n".to_owned()
    }

    fn reserved(&self) -> &'static [&'static str] {
        &[]
    }

    fn assertions(&self) -> &'static Assertions {
        &ASSERTIONS
    }

    fn open(&self, _plan: &Plan<'_>, case: &Case) -> String {
        let ignore = match &case.expectation {
            Expectation::Skipped(reason) => format!("    TEST_IGNORE_MESSAGE({reason:?});\n"),
            _ => String::new(),
        };
        format!("static void {}(void)\n{{\n{ignore}", case.function)
    }

    fn main(&self, plan: &Plan<'_>) -> String {
        let restore = plan.restore.map(|restore| format!("    {restore}();\n")).unwrap_or_default();
        let rows = plan.rows(|_| format!("    {}RUN_TEST({{test}});\n", plan.guard()));
        format!(
            "\nvoid setUp(void)\n{{\n{restore}}}\n\nvoid tearDown(void)\n{{\n}}\n\nint main(void)\n{{\n{}    \
            UNITY_BEGIN();\n{rows}    return UNITY_END();\n}}\n",
            plan.apart()
        )
    }

    fn libraries(&self) -> &'static [&'static str] {
        &["-lunity"]
    }
}
