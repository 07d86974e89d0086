//! What `clew test` says: a paragraph per function, and a summary for people or tools.

use super::Tested;
use crate::cli::{SummaryForm, TestArguments};
use crate::status::Status;
use crate::terminal::{Paint, Terminal};
use clew::infer;
use clew::session::{Error, Outcome, ReplayedFinding};
use clew::suite::{
    self,
    made::Floats,
    objective::{Count, because, counts, name as verdict_name},
};
use clew_coverage::{Verdict, words};
use clew_execute::Event;
use clew_explore::ending::PathEnd;
use clew_explore::refuted::{Reason, Refuted};
use clew_frontend::Diagnostic;
use clew_ir::{Program, Span};
use serde::Serialize;
use std::borrow::Cow;

/// Objectives of one criterion shown one by one; `suite.json` has them all.
const MOST_MISSED: usize = 12;

/// The summary for tools.
#[derive(Serialize)]
struct Summary<'a> {
    functions: Vec<FunctionSummary<'a>>,
}

/// What came of one function.
#[derive(Serialize)]
struct FunctionSummary<'a> {
    name: &'a str,
    tests: usize,
    paths_within_k: usize,
    superfluous_tests: usize,
    refuted_prefixes: u64,
    open_prefixes: u64,
    replayed: usize,
    diverged: usize,
    findings: usize,
    stop: &'static str,
    /// What was limited on the way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    limits: Vec<Cow<'static, str>>,
    /// The most calls that one test makes of a function which remembers earlier ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    calls: Option<usize>,
    seconds: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    criteria: Vec<Count>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl<'a> FunctionSummary<'a> {
    fn of(program: &'a Program, tested: &Tested<'_>, arguments: &TestArguments) -> FunctionSummary<'a> {
        let name = &program.functions[tested.function].name;
        match &tested.result {
            Ok(outcome) => FunctionSummary::new(name, arguments.of_function(name).bound, outcome),
            Err(error) => FunctionSummary::failed(name, error),
        }
    }

    fn new(name: &'a str, bound: Option<u32>, outcome: &Outcome<'_>) -> FunctionSummary<'a> {
        let tests = outcome.tests.len();
        let within = outcome.tests.iter().filter(|test| bound.is_none_or(|k| test.explored.turns <= k)).count();
        FunctionSummary {
            name,
            tests,
            paths_within_k: within,
            superfluous_tests: tests - within,
            refuted_prefixes: outcome.summary.refuted,
            open_prefixes: outcome.summary.open + outcome.summary.given_up.values().sum::<u64>(),
            replayed: tests,
            diverged: outcome.tests.iter().filter(|test| test.divergence.is_some()).count(),
            findings: outcome.findings.len() + outcome.optimised.iter().flatten().flatten().count(),
            stop: suite::stop(outcome),
            limits: outcome.summary.limits.iter().map(|limit| limit.name()).collect(),
            calls: outcome
                .tests
                .iter()
                .map(|test| test.explored.input.earlier.len() + 1)
                .max()
                .filter(|calls| *calls > 1),
            seconds: outcome.elapsed.as_secs_f64(),
            criteria: outcome.ledger.as_ref().map_or_else(Vec::new, counts),
            error: None,
        }
    }

    /// A function that was not tested.
    fn failed(name: &'a str, error: &Error) -> FunctionSummary<'a> {
        FunctionSummary {
            name,
            tests: 0,
            paths_within_k: 0,
            superfluous_tests: 0,
            refuted_prefixes: 0,
            open_prefixes: 0,
            replayed: 0,
            diverged: 0,
            findings: 0,
            stop: "error",
            limits: Vec::new(),
            calls: None,
            seconds: 0.0,
            criteria: Vec::new(),
            error: Some(error.to_string()),
        }
    }
}

/// Says what came of one function.
pub(super) fn function(program: &Program, tested: &Tested<'_>, arguments: &TestArguments, terminal: Terminal) {
    let name = &program.functions[tested.function].name;
    match &tested.result {
        Err(error) => {
            let span = match error {
                Error::Precondition(unusable) => unusable.span,
                Error::Build(_) => Span::NONE,
            };
            let message = format!("cannot test `{name}`: {error}");
            terminal.diagnostics(&[Diagnostic::error(span, message)], &program.sources);
        }
        Ok(outcome) => {
            findings(program, tested, outcome, terminal);
            if !outcome.findings.is_empty() {
                suggestions(program, tested, arguments, terminal);
            }
            limits(program, outcome, terminal);
            differences(program, tested, outcome, terminal);
            let bound = arguments.of_function(name).bound;
            let summary = FunctionSummary::new(name, bound, outcome);
            terminal.say(&paragraph(&summary, bound, terminal));
            if outcome.given_lost > 0 {
                let lost = format!("  {} given tests could not be followed and count for nothing", outcome.given_lost);
                terminal.say(&terminal.paint(Paint::Yellow, &lost));
            }
            criteria(&summary, outcome, terminal);
            assumptions(program, tested, &summary, terminal);
            if arguments.explain {
                explain(program, tested, outcome, terminal);
            }
        }
    }
}

fn paragraph(summary: &FunctionSummary<'_>, bound: Option<u32>, terminal: Terminal) -> String {
    let within = bound.map_or_else(String::new, |k| {
        format!(", {} within k={k}, {} superfluous", summary.paths_within_k, summary.superfluous_tests)
    });
    let mark = match (summary.diverged, summary.tests) {
        (0, 0) => (Paint::Yellow, "?"),
        (0, _) => (Paint::Green, "✓"),
        _ => (Paint::Red, "✗"),
    };
    let open = if summary.open_prefixes > 0 {
        terminal.paint(Paint::Yellow, &format!("{} open ({})", summary.open_prefixes, summary.stop))
    } else if summary.limits.is_empty() {
        "none open".to_owned()
    } else {
        terminal.paint(Paint::Yellow, &format!("some left out ({})", summary.limits.join(", ")))
    };
    let diverged = match summary.diverged {
        0 if summary.replayed == 0 => "no test".to_owned(),
        0 => "all as predicted".to_owned(),
        number => terminal.paint(Paint::Red, &format!("{number} diverged")),
    };
    format!(
        "{} {}  {}{within}; {} refuted, {open}; {} executed, {diverged}; {}  {}",
        terminal.paint(mark.0, mark.1),
        terminal.paint(Paint::Bold, summary.name),
        counted(summary.tests, "path", "paths"),
        counted(summary.refuted_prefixes as usize, "prefix", "prefixes"),
        summary.replayed,
        counted(summary.findings, "finding", "findings"),
        terminal.paint(Paint::Dim, &format!("{:.2} s", summary.seconds)),
    )
}

/// A number with the noun it counts.
fn counted(number: usize, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

/// One line per criterion, and one per objective that is not covered.
fn criteria(summary: &FunctionSummary<'_>, outcome: &Outcome<'_>, terminal: Terminal) {
    let Some(ledger) = &outcome.ledger else { return };
    for count in &summary.criteria {
        let mark = if count.unknown == 0 { (Paint::Green, "✓") } else { (Paint::Yellow, "?") };
        terminal.say(&format!(
            "  {} {}: {}, {} covered, {} infeasible, {} unknown",
            terminal.paint(mark.0, mark.1),
            terminal.paint(Paint::Bold, count.criterion),
            counted(count.objectives, "objective", "objectives"),
            count.covered,
            count.infeasible,
            count.unknown
        ));
        let missed = ledger.entries().filter(|(_, objective, verdict)| {
            objective.criterion.name() == count.criterion && !matches!(verdict, Verdict::Covered(_))
        });
        for (_, objective, verdict) in missed.take(MOST_MISSED) {
            let what = words::describe(ledger.program(), ledger.labels(), objective);
            let why = because(verdict).unwrap_or_default();
            let verdict = terminal.paint(Paint::Yellow, verdict_name(verdict));
            terminal.say(&format!("      {verdict}: {what} {}", terminal.paint(Paint::Dim, &format!("({why})"))));
        }
    }
}

/// What proofs take for granted that C does not say.
fn assumptions(program: &Program, tested: &Tested<'_>, summary: &FunctionSummary<'_>, terminal: Terminal) {
    let is_proved = summary.criteria.iter().any(|count| count.infeasible > 0);
    if let Some(apart) = infer::apart(program, tested.function).filter(|_| is_proved) {
        terminal.say(&terminal.paint(Paint::Dim, &format!("    infeasible assumes: {apart} (docs/criteria.md)")));
    }
}

fn findings(program: &Program, tested: &Tested<'_>, outcome: &Outcome<'_>, terminal: Terminal) {
    let shown: Vec<Diagnostic> =
        outcome.findings.iter().map(|finding| finding_diagnostic(program, tested, finding)).collect();
    terminal.diagnostics(&shown, &program.sources);
}

fn finding_diagnostic(program: &Program, tested: &Tested<'_>, finding: &ReplayedFinding) -> Diagnostic {
    let failure = &finding.finding.failure;
    let values = suite::describe_input(program, tested.function, &finding.finding.input);
    let native = finding.observation.as_ref().map_or_else(|| "not executed".to_owned(), suite::ending);
    let diagnostic = Diagnostic::warning(failure.span, failure.what.clone())
        .with_note(format!("with {values}"))
        .with_note(format!("native execution of this input: {native}"));
    match infer::excluding(program, tested.function, failure, &finding.finding.input) {
        Some(clause) => diagnostic.with_note(format!("excluded by the precondition: requires {clause};")),
        None => diagnostic,
    }
}

/// Tests that do something else in an optimised build.
fn differences(program: &Program, tested: &Tested<'_>, outcome: &Outcome<'_>, terminal: Terminal) {
    match &outcome.optimised {
        None => {}
        Some(Err(error)) => terminal.error(&format!("tests were not run in an optimised build: {error}")),
        Some(Ok(differences)) => differences.iter().for_each(|difference| {
            let span = program.functions[tested.function].span;
            let values =
                suite::describe_input(program, tested.function, &outcome.tests[difference.test].explored.input);
            let what = format!("optimisation changes test {}: it {}", difference.test + 1, difference.what);
            terminal
                .diagnostics(&[Diagnostic::warning(span, what).with_note(format!("with {values}"))], &program.sources);
        }),
    }
}

/// Says so where the native build cannot have, or is not asked for, the arithmetic of C.
pub(super) fn arithmetic(floats: Option<&Floats>, terminal: Terminal) {
    let Some(floats) = floats else { return };
    let warn = |text: String| terminal.say(&format!("{} {text}", terminal.paint(Paint::Yellow, "warning:")));
    if !floats.flags_left_out.is_empty() {
        let flags = floats.flags_left_out.join(" ");
        warn(format!(
            "floats: tests are made for the arithmetic of C and built without {flags}; with it, results may differ"
        ));
    }
    match floats.evaluation_method {
        Some(0) => {}
        Some(method) => warn(format!("floats: FLT_EVAL_METHOD is {method}: results have more digits than their types")),
        None => warn("floats: the compiler does not say how it evaluates them (FLT_EVAL_METHOD)".to_owned()),
    }
}

/// Preconditions that the source suggests, where there are findings that may be due to their absence.
fn suggestions(program: &Program, tested: &Tested<'_>, arguments: &TestArguments, terminal: Terminal) {
    if arguments.assume.is_some() {
        return;
    }
    for clause in infer::preconditions(program, tested.function) {
        terminal.say(&format!("  suggested by the source (taken with --assume inferred): requires {clause};"));
    }
}

/// Says what was left out and why.
fn limits(program: &Program, outcome: &Outcome<'_>, terminal: Terminal) {
    for (end, number) in &outcome.unsupported {
        if let PathEnd::Unsupported { what, span } = end {
            let message = format!("{what} is not supported: {number} paths end there untested");
            terminal.diagnostics(&[Diagnostic::unsupported(*span, message)], &program.sources);
        }
    }
    for reason in &outcome.not_executed {
        terminal.error(&format!("an input could not be executed: {reason}"));
    }
}

fn explain(program: &Program, tested: &Tested<'_>, outcome: &Outcome<'_>, terminal: Terminal) {
    for (index, test) in outcome.tests.iter().enumerate() {
        let values = suite::describe_input(program, tested.function, &test.explored.input);
        terminal.say(&format!("  {} {values}", terminal.paint(Paint::Bold, &format!("path {}", index + 1))));
        for step in steps(program, &test.explored.path) {
            terminal.say(&format!("    {step}"));
        }
        let ending = suite::ending(&test.observation);
        terminal.say(&format!("    {}", terminal.paint(Paint::Dim, &ending)));
        if let Some(divergence) = &test.divergence {
            terminal.say(&format!("    {}", terminal.paint(Paint::Red, divergence)));
        }
    }
    outcome.summary.explained.iter().for_each(|refuted| explain_refuted(program, refuted, terminal));
}

/// Why no input takes a prefix.
fn explain_refuted(program: &Program, refuted: &Refuted, terminal: Terminal) {
    let mut steps = steps(program, &refuted.path);
    let last = steps.pop().unwrap_or_default();
    terminal.say(&format!("  {} {last}", terminal.paint(Paint::Bold, "refuted")));
    steps.iter().for_each(|step| terminal.say(&format!("    after {step}")));
    for reason in &refuted.because {
        let words = match reason {
            Reason::Branch(event) => self::steps(program, &[*event]).concat(),
            Reason::Clause(span) => {
                let place = suite::line(program, *span);
                format!("line {place}: the precondition {}", suite::source(program, *span))
            }
            Reason::Assumed => "objects have their extent, and the program is defined".to_owned(),
        };
        terminal.say(&format!("    {}", terminal.paint(Paint::Dim, &format!("because {words}"))));
    }
}

/// A path in words, one line per branch.
pub(super) fn steps(program: &Program, path: &[Event]) -> Vec<String> {
    let step = |event: &Event| match *event {
        Event::Condition { function, condition, outcome } => {
            let span = program.functions[function].conditions[condition].span;
            format!("line {}: {} is {outcome}", suite::line(program, span), suite::source(program, span))
        }
        Event::Switch { function, decision, arm } => {
            let span = program.functions[function].decisions[decision].span;
            format!("line {}: switch ({}) takes arm {arm}", suite::line(program, span), suite::source(program, span))
        }
    };
    path.iter().map(step).collect()
}

/// The summary of one function for tools.
pub(super) fn function_summary(program: &Program, tested: &Tested<'_>, arguments: &TestArguments) -> serde_json::Value {
    let summary = FunctionSummary::of(program, tested, arguments);
    serde_json::to_value(summary).expect("a summary is made of strings and numbers")
}

/// Prints the summary for tools, if asked, and gives the status.
pub(super) fn summary(
    program: &Program,
    tested: &[Tested<'_>],
    arguments: &TestArguments,
    terminal: Terminal,
) -> Status {
    let functions: Vec<FunctionSummary<'_>> =
        tested.iter().map(|one| FunctionSummary::of(program, one, arguments)).collect();
    let errors = functions.iter().filter(|function| function.error.is_some()).count();
    let found = functions.iter().any(|function| function.findings + function.diverged > 0);
    let finished = |function: &FunctionSummary<'_>| matches!(function.stop, "exhausted" | "decided");
    let unfinished = functions.iter().any(|function| !finished(function));
    let all = errors == functions.len();
    if arguments.summary == Some(SummaryForm::Json) {
        let text = serde_json::to_string(&Summary { functions }).expect("a summary is made of strings and numbers");
        terminal.print(&format!("{text}\n"));
    } else if !all {
        let out = arguments.out.display();
        terminal.say(&format!("suite in {out}: report.html, suite.json, test code; run it: make -C {out} check"));
    }
    match (all, found, unfinished) {
        (true, ..) => Status::BadInput,
        (_, true, _) => Status::Findings,
        (_, _, true) => Status::Limit,
        _ => Status::Fine,
    }
}
