//! Each program of `tests/failures` stops at the line marked `//~`, with the text that follows the mark.

use super::{files, load, run};
use clew_execute::Outcome;
use clew_ir::Program;

#[test]
fn failures_name_the_line_and_the_values() {
    let files = files("failures");
    assert!(!files.is_empty(), "there are programs to run");
    for path in files {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let (line, expected) = text
            .lines()
            .enumerate()
            .find_map(|(number, line)| Some((number as u32 + 1, line.split_once("//~ ")?.1)))
            .unwrap_or_else(|| panic!("{} has no mark", path.display()));
        let program = load(&path);
        let (place, actual) = report(&program, &run(&program).0);
        assert_eq!((place, actual.as_str()), (Some(line), expected), "{}", path.display());
    }
}

/// The line and the text of what stopped a run.
fn report(program: &Program, outcome: &Outcome) -> (Option<u32>, String) {
    let line = |span| program.sources.locate(span).map(|location| location.line);
    match outcome {
        Outcome::Failed(failure) => (line(failure.span), failure.describe(program)),
        Outcome::Unsupported(unsupported) => (line(unsupported.span), unsupported.what.clone()),
        other => (None, format!("{other:?}")),
    }
}

#[test]
fn a_failure_carries_the_call_stack() {
    let program = super::program(
        "stack.c",
        "static int inner(int *p) { return *p; }\nstatic int outer(int *p) { return inner(p); }\nint main(void) { return outer(0); }\n",
    );
    let Outcome::Failed(failure) = run(&program).0 else { panic!("reading through null fails") };
    let names: Vec<&str> = failure.stack.iter().map(|site| program.functions[site.function].name.as_str()).collect();
    assert_eq!(names, ["inner", "outer", "main"]);
    assert!(failure.check.is_some());
}

#[test]
fn limits_end_a_run() {
    let endless = super::program("endless.c", "int main(void) { for (;;) ; }\n");
    let main = endless.function("main").expect("there is a main");
    let options = clew_execute::Options {
        limits: clew_execute::Limits { steps: 1000, ..Default::default() },
        ..Default::default()
    };
    let mut io = clew_execute::Captured::default();
    assert_eq!(clew_execute::interpret(&endless, main, &["a"], &options, &mut io), Outcome::StepLimit);

    let deep = super::program("deep.c", "int f(int n) { return f(n) + 1; }\nint main(void) { return f(0); }\n");
    assert_eq!(run(&deep).0, Outcome::DepthLimit);

    let hungry = super::program(
        "hungry.c",
        "#include <stdlib.h>\nint main(void) { for (;;) if (!malloc(1 << 20)) return 1; }\n",
    );
    assert_eq!(run(&hungry).0, Outcome::MemoryLimit);
}
