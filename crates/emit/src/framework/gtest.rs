//! GoogleTest: a C file with the tests, and a C++ file that calls them and takes their failures.

use super::{Assertions, Case, Dialect, Plan, fill};
use crate::MARK;
use crate::expectation::{Expectation, signal_name};
use std::fmt::Write;

/// GoogleTest.
pub(super) struct Gtest;

const ASSERTIONS: Assertions = Assertions {
    signed: "EXPECT_EQ({actual}, {expected});",
    unsigned: "EXPECT_EQ({actual}, {expected});",
    holds: "EXPECT_TRUE({condition});",
    null: "EXPECT_TRUE({actual} == NULL);",
    not_null: "EXPECT_TRUE({actual} != NULL);",
    same: "EXPECT_TRUE({actual} == {expected});",
    array: "EXPECT_TRUE(memcmp({actual}, {expected}, sizeof {expected}) == 0);",
};

const BRIDGE: &str = r#"#include <stddef.h>
#include <string.h>

/* GoogleTest's assertions for C; what they call is defined in {stem}.cpp. */
void {expect_true}(const char *file, int line, const char *text, int holds);
void {expect_equal}(const char *file, int line, const char *text, long long actual, long long expected);
#define EXPECT_TRUE(condition) {expect_true}(__FILE__, __LINE__, #condition, !!(condition))
#define EXPECT_EQ(actual, expected) \
    {expect_equal}(__FILE__, __LINE__, #actual, (long long)(actual), (long long)(expected))
"#;

const WRAPPER: &str = r#"#include <gtest/gtest.h>

extern "C" {
void {expect_true}(const char *file, int line, const char *text, int holds)
{
    if (!holds)
        ADD_FAILURE_AT(file, line) << "not so: " << text;
}

void {expect_equal}(const char *file, int line, const char *text, long long actual, long long expected)
{
    if (actual != expected)
        ADD_FAILURE_AT(file, line) << text << " is " << actual << ", not " << expected;
}

"#;

const APART: &str = r#"
/* Functions of the program remember earlier calls: each test runs in a process of its own. */
int main(int argc, char **argv)
{
    ::testing::InitGoogleTest(&argc, argv);
    int failures = 0;
    const ::testing::TestSuite *suite = ::testing::UnitTest::GetInstance()->GetTestSuite(0);
    for (int number = 0; number < suite->total_test_count(); number++) {
        int status = 1;
        if (fork() == 0) {
            ::testing::GTEST_FLAG(filter) = std::string("*.") + suite->GetTestInfo(number)->name();
            return RUN_ALL_TESTS();
        }
        wait(&status);
        failures += status != 0;
    }
    return failures != 0;
}
"#;

impl Dialect for Gtest {
    fn headers(&self, plan: &Plan<'_>) -> String {
        named(BRIDGE, plan)
    }

    fn reserved(&self) -> &'static [&'static str] {
        &["expect_true", "expect_equal"]
    }

    fn assertions(&self) -> &'static Assertions {
        &ASSERTIONS
    }

    fn open(&self, _plan: &Plan<'_>, case: &Case) -> String {
        format!("void {}(void)\n{{\n", case.function)
    }

    fn expects_endings(&self) -> bool {
        true
    }

    fn main(&self, _plan: &Plan<'_>) -> String {
        String::new()
    }

    fn wrapper(&self, plan: &Plan<'_>) -> Option<String> {
        let subject = plan.subject;
        let mut out = format!("// {MARK}: calls the tests of {subject} in {}.c.\n", plan.stem);
        if plan.isolated {
            out.push_str("#include <sys/wait.h>\n#include <unistd.h>\n");
        }
        out.push_str(&named(WRAPPER, plan));
        out.push_str(&plan.rows(|_| "void {test}(void);\n".to_owned()));
        if let Some(restore) = plan.restore {
            let _ = writeln!(out, "void {restore}(void);");
        }
        out.push_str("}\n");
        let test = match plan.restore {
            Some(restore) => {
                let _ = write!(
                    out,
                    "\nclass {subject}_test : public ::testing::Test {{\n    void SetUp() override {{ {restore}(); }}\n}};\n"
                );
                format!("TEST_F({subject}_test")
            }
            None => format!("TEST({subject}"),
        };
        out.push_str(&plan.rows(|case| format!("\n{test}, {{test}})\n{{\n    {}\n}}\n", statement(&case.expectation))));
        if plan.isolated {
            out.push_str(APART);
        }
        Some(out)
    }

    fn libraries(&self) -> &'static [&'static str] {
        &["-lgtest_main", "-lgtest", "-lpthread"]
    }
}

fn named(template: &str, plan: &Plan<'_>) -> String {
    let names = ["expect_true", "expect_equal"].map(|name| (name, plan.name(name)));
    fill(template, &[names[0], names[1], ("stem", plan.stem)])
}

fn statement(expectation: &Expectation) -> String {
    match expectation {
        Expectation::Returns | Expectation::Stops => "{test}();".to_owned(),
        Expectation::Exits(status) => format!("EXPECT_EXIT({{test}}(), ::testing::ExitedWithCode({status}), \"\");"),
        Expectation::Raises(signal) => {
            format!("EXPECT_EXIT({{test}}(), ::testing::KilledBySignal({}), \"\");", signal_name(*signal))
        }
        Expectation::Skipped(reason) => format!("GTEST_SKIP() << {reason:?};"),
    }
}
