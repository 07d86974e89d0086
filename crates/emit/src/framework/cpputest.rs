//! CppUTest: its C interface in a C file, its wrappers in a C++ file.

use super::{Assertions, Case, Dialect, Plan};
use crate::MARK;
use crate::expectation::Expectation;

/// CppUTest.
pub(super) struct Cpputest;

const ASSERTIONS: Assertions = Assertions {
    signed: "CHECK_EQUAL_C_LONGLONG({expected}, {actual});",
    unsigned: "CHECK_EQUAL_C_ULONGLONG({expected}, {actual});",
    holds: "CHECK_C({condition});",
    null: "CHECK_C({actual} == NULL);",
    not_null: "CHECK_C({actual} != NULL);",
    same: "CHECK_EQUAL_C_POINTER({expected}, {actual});",
    array: "CHECK_C(memcmp({actual}, {expected}, sizeof {expected}) == 0);",
};

impl Dialect for Cpputest {
    fn headers(&self, _plan: &Plan<'_>) -> String {
        "#include <stddef.h>\n#include <string.h>\n#include <CppUTest/TestHarness_c.h>\n".to_owned()
    }

    fn reserved(&self) -> &'static [&'static str] {
        &[]
    }

    fn assertions(&self) -> &'static Assertions {
        &ASSERTIONS
    }

    fn open(&self, plan: &Plan<'_>, case: &Case) -> String {
        let keyword = if let Expectation::Skipped(_) = case.expectation { "IGNORE_TEST_C" } else { "TEST_C" };
        format!("{keyword}({}, {})\n{{\n", plan.subject, case.function)
    }

    fn main(&self, plan: &Plan<'_>) -> String {
        let set_up = |restore| format!("\nTEST_GROUP_C_SETUP({})\n{{\n    {restore}();\n}}\n", plan.subject);
        plan.restore.map(set_up).unwrap_or_default()
    }

    fn wrapper(&self, plan: &Plan<'_>) -> Option<String> {
        let subject = plan.subject;
        let set_up = plan.restore.map(|_| format!("    TEST_GROUP_C_SETUP_WRAPPER({subject})\n")).unwrap_or_default();
        let rows = plan.rows(|case| match case.expectation {
            Expectation::Skipped(_) => format!("IGNORE_TEST_C_WRAPPER({subject}, {{test}})\n"),
            _ => format!("TEST_C_WRAPPER({subject}, {{test}})\n"),
        });
        let run = match plan.isolated {
            true => {
                "    /* Functions of the program remember earlier calls: each test runs in a process of its own. */\n    \
                const char *arguments[] = {argc > 0 ? argv[0] : \"\", \"-p\"};\n    return \
                CommandLineTestRunner::RunAllTests(2, arguments);\n"
            }
            false => "    return CommandLineTestRunner::RunAllTests(argc, argv);\n",
        };
        Some(format!(
            "// {MARK}: calls the tests of {subject} in {}.c.\n#include <CppUTest/CommandLineTestRunner.h>\n#include \
            <CppUTest/TestHarness.h>\n#include <CppUTest/TestHarness_c.h>\n\nTEST_GROUP_C_WRAPPER({subject})\n{{\n\
            {set_up}}};\n\n{rows}\nint main(int argc, char **argv)\n{{\n{run}}}\n",
            plan.stem
        ))
    }

    fn libraries(&self) -> &'static [&'static str] {
        &["-lCppUTest"]
    }
}
