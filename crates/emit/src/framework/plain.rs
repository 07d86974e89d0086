//! C alone: a macro that counts failures, and a `main` that prints a summary.

use super::{Assertions, Case, Dialect, Plan, fill};
use crate::expectation::Expectation;

/// No framework.
pub(super) struct Plain;

const ASSERTIONS: Assertions = Assertions {
    signed: "CHECK({actual} == {expected});",
    unsigned: "CHECK({actual} == {expected});",
    holds: "CHECK({condition});",
    null: "CHECK({actual} == NULL);",
    not_null: "CHECK({actual} != NULL);",
    same: "CHECK({actual} == {expected});",
    array: "CHECK(__builtin_memcmp({actual}, {expected}, sizeof {expected}) == 0);",
};

const CHECK: &str = r#"
static int {failures};

#undef CHECK
#define CHECK(condition) \
    ((condition) ? 0 : ({failures}++, printf("%s:%d: %s: not so: %s\n", __FILE__, __LINE__, __func__, #condition)))
"#;

impl Dialect for Plain {
    fn headers(&self, plan: &Plan<'_>) -> String {
        // As in <stdio.h>, without its other names, which the program may use for something else.
        let printf = match plan.has_stdio {
            true => "#include <stdio.h>\n",
            false => "\nextern int printf(const char *format, ...);\n",
        };
        format!("#include <stddef.h>\n{printf}{}", fill(CHECK, &[("failures", plan.name("failures"))]))
    }

    fn reserved(&self) -> &'static [&'static str] {
        &["failures", "run"]
    }

    fn assertions(&self) -> &'static Assertions {
        &ASSERTIONS
    }

    fn open(&self, _plan: &Plan<'_>, case: &Case) -> String {
        // What is not called must not be warned of.
        let unused = matches!(case.expectation, Expectation::Skipped(_)).then_some("__attribute__((unused)) ");
        format!("{}static void {}(void)\n{{\n", unused.unwrap_or_default(), case.function)
    }

    fn main(&self, plan: &Plan<'_>) -> String {
        let subject = plan.subject;
        let (count, skipped) = (plan.cases.len(), plan.skipped());
        let called = count - skipped;
        let tests = if count == 1 { "test" } else { "tests" };
        let run = plan.name("run");
        let rows = plan.rows(|case| match case.expectation {
            Expectation::Skipped(_) => String::new(),
            _ => format!("    failed += {run}({{test}});\n"),
        });
        // A function that is not called must cause no warning.
        let rows = if rows.is_empty() { format!("    (void){run};\n") } else { rows };
        format!(
            "{}\nint main(void)\n{{\n    int failed = 0;\n{rows}    printf(\"{subject}: {count} {tests}, %d passed, %d \
            failed, {skipped} skipped\\n\", {called} - failed, failed);\n    return failed != 0;\n}}\n",
            run_function(plan, run)
        )
    }

    fn libraries(&self) -> &'static [&'static str] {
        &[]
    }
}

/// The function that runs one test and says whether it failed.
fn run_function(plan: &Plan<'_>, name: &str) -> String {
    let failures = plan.name("failures");
    let head = format!("\nstatic int {name}(void (*test)(void))\n{{\n");
    if plan.isolated {
        return format!(
            "\n/* Functions of the program remember earlier calls: each test runs in a process of its own. */{head}    \
            int status = 1;\n    if (fork() == 0) {{\n        test();\n        exit({failures} != 0);\n    }}\n    \
            wait(&status);\n    return status != 0;\n}}\n"
        );
    }
    let restore = plan.restore.map(|restore| format!("    {restore}();\n")).unwrap_or_default();
    format!("{head}    int before = {failures};\n{restore}    test();\n    return {failures} != before;\n}}\n")
}
