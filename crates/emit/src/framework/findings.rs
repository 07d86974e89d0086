//! Findings as tests: each runs in a process of its own, built with sanitizers, which is to end it.

use super::{Assertions, Case, Dialect, Plan};
use crate::expectation::Expectation;

/// The form of files of findings.
pub(crate) struct Findings;

/// What the call comes to after a finding is of no account.
const ASSERTIONS: Assertions = Assertions {
    signed: "(void)({actual});",
    unsigned: "(void)({actual});",
    holds: "(void)({condition});",
    null: "(void)({actual});",
    not_null: "(void)({actual});",
    same: "(void)({actual});",
    array: "(void)({actual});",
};

/// The status of a process that a sanitizer ended.
const STATUS: u32 = 99;

impl Dialect for Findings {
    fn headers(&self, _plan: &Plan<'_>) -> String {
        "#include <stddef.h>\n#include <stdio.h>\n#include <sys/wait.h>\n#include <unistd.h>\n".to_owned()
    }

    fn reserved(&self) -> &'static [&'static str] {
        &["reproduce"]
    }

    fn assertions(&self) -> &'static Assertions {
        &ASSERTIONS
    }

    fn open(&self, _plan: &Plan<'_>, case: &Case) -> String {
        let unused = matches!(case.expectation, Expectation::Skipped(_)).then_some("__attribute__((unused)) ");
        format!("{}static void {}(void)\n{{\n", unused.unwrap_or_default(), case.function)
    }

    fn forks(&self) -> bool {
        true
    }

    fn expects_endings(&self) -> bool {
        false
    }

    fn main(&self, plan: &Plan<'_>) -> String {
        let (subject, count, skipped) = (plan.subject, plan.cases.len(), plan.skipped());
        let reproduce = plan.name("reproduce");
        let rows = plan.rows(|case| match case.expectation {
            Expectation::Skipped(_) => String::new(),
            _ => format!("    missed += {reproduce}({{test}}, \"{{test}}\");\n"),
        });
        let rows = if rows.is_empty() { format!("    (void){reproduce};\n") } else { rows };
        let noun = if count == 1 { "finding" } else { "findings" };
        format!(
            "\nconst char *__asan_default_options(void);\nconst char *__ubsan_default_options(void);\n\n\
            const char *__asan_default_options(void)\n{{\n    return \"exitcode={STATUS}:detect_leaks=0\";\n}}\n\n\
            const char *__ubsan_default_options(void)\n{{\n    return \"exitcode={STATUS}\";\n}}\n\n\
            static int {reproduce}(void (*test)(void), const char *name)\n{{\n    int status = 0, is_shown;\n    \
            fflush(stdout);\n    if (fork() == 0) {{\n        alarm(10);\n        test();\n        _exit(0);\n    }}\n    \
            wait(&status);\n    is_shown = WIFEXITED(status) && WEXITSTATUS(status) == {STATUS};\n    \
            printf(\"%s: %s\\n\", name, is_shown ? \"reproduced\" : \"no sanitizer shows it\");\n    \
            return !is_shown;\n}}\n\n\
            int main(void)\n{{\n    int missed = 0;\n{rows}    printf(\"{subject}: {count} {noun}, %d reproduced, %d not \
            shown, {skipped} not run\\n\", {called} - missed, missed);\n    return missed != 0;\n}}\n",
            called = count - skipped,
        )
    }

    fn libraries(&self) -> &'static [&'static str] {
        &[]
    }
}
