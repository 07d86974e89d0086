//! What `clew test` says: a paragraph per function, and a summary for people or tools.

use crate::cli::{DenyName, OutputArguments, SummaryForm};
use crate::status::Status;
use crate::terminal::{Paint, Terminal};
use clew_coverage::{Verdict, words};
use clew_frontend::Diagnostic;
use clew_ir::{Program, Span};
use clew_search::refuted::Refuted;
use clew_session::explanation::{self, steps};
use clew_session::finding::{self, Cause};
use clew_session::infer;
use clew_session::request::TestRequest;
use clew_session::suite::{
    self,
    made::Floats,
    objective::{because, name as verdict_name},
};
use clew_session::summary::{FunctionSummary, Summary};
use clew_session::test::Tested;
use clew_session::{Error, Outcome, Settled};
use clew_symbolic::ending::PathEnd;
use std::collections::{BTreeMap, BTreeSet};

/// Objectives of one criterion shown one by one; `suite.json` has them all.
const MOST_MISSED: usize = 12;

/// Lines shown where one cause has several findings.
const MOST_LINES: usize = 12;

/// Says what came of one function.
pub(super) fn function(program: &Program, tested: &Tested<'_>, request: &TestRequest, terminal: Terminal) {
    let name = &program.functions[tested.function].name;
    if tested.given_unfit > 0 {
        let unfit = tested.given_unfit;
        terminal.say(&format!("{name}: {unfit} given tests do not fit the program and are left out"));
    }
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
                suggestions(program, tested, request, terminal);
            }
            limits(program, outcome, terminal);
            differences(program, tested, outcome, terminal);
            let summary = FunctionSummary::of(program, tested);
            terminal.say(&paragraph(&summary, tested.budget.k, terminal));
            if outcome.given_lost > 0 {
                let lost = format!("  {} given tests could not be followed and count for nothing", outcome.given_lost);
                terminal.say(&terminal.paint(Paint::Yellow, &lost));
            }
            criteria(&summary, outcome, terminal);
            quality(&summary, outcome, terminal);
            assumptions(outcome, terminal);
            if request.wanted.explain {
                explain(program, tested, outcome, terminal);
                let paths = summary.infeasible_paths.as_ref().zip(summary.paths_of_graph.as_ref());
                if let Some((infeasible, all)) = paths {
                    terminal.say(&format!("  of {all} paths of the graph, {infeasible} are infeasible"));
                }
            }
        }
    }
}

fn paragraph(summary: &FunctionSummary<'_>, bound: Option<u32>, terminal: Terminal) -> String {
    let of_graph =
        summary.paths_of_graph.as_ref().map_or_else(String::new, |paths| format!(" of {paths} of the graph"));
    let within = bound.map_or(of_graph.clone(), |k| {
        format!(", {} within k={k}{of_graph}, {} superfluous", summary.paths_within_k, summary.superfluous_tests)
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
        "{} {}  {}{within}; {} refuted, {open}; {} executed, {diverged}; {}{}  {}",
        terminal.paint(mark.0, mark.1),
        terminal.paint(Paint::Bold, summary.name),
        counted(summary.tests, "path", "paths"),
        counted(summary.refuted_prefixes as usize, "prefix", "prefixes"),
        summary.replayed,
        counted(summary.findings, "finding", "findings"),
        if summary.causes < summary.findings {
            format!(" ({})", counted(summary.causes, "cause", "causes"))
        } else {
            String::new()
        },
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
            "  {} {}: {}, {} covered, {} infeasible{}, {} unknown",
            terminal.paint(mark.0, mark.1),
            terminal.paint(Paint::Bold, count.criterion),
            counted(count.objectives, "objective", "objectives"),
            count.covered,
            count.infeasible,
            if count.assumed > 0 { format!(" ({} under assumptions)", count.assumed) } else { String::new() },
            count.unknown
        ));
        let missed = ledger.entries().filter(|(_, objective, verdict)| {
            objective.criterion.name() == count.criterion && !matches!(verdict, Verdict::Covered(_))
        });
        for (id, objective, verdict) in missed.take(MOST_MISSED) {
            let mark = if ledger.assumptions_of(id).next().is_some() { "*" } else { "" };
            let what = words::describe(ledger.program(), ledger.labels(), objective);
            let why = because(verdict).unwrap_or_default();
            let verdict = terminal.paint(Paint::Yellow, &format!("{}{mark}", verdict_name(verdict)));
            terminal.say(&format!("      {verdict}: {what} {}", terminal.paint(Paint::Dim, &format!("({why})"))));
        }
    }
}

/// How many mutants of the function the tests kill.
fn quality(summary: &FunctionSummary<'_>, outcome: &Outcome<'_>, terminal: Terminal) {
    if let Some(Err(error)) = &outcome.kills {
        terminal.say(&format!("  {} mutants: not measured: {error}", terminal.paint(Paint::Yellow, "?")));
    }
    let Some(mutants) = summary.mutants.filter(|mutants| mutants.all > 0) else { return };
    let equivalent = mutants.equivalent.unwrap_or(0);
    let survive = mutants.all - mutants.killed - equivalent;
    let mark = if survive == 0 { (Paint::Green, "✓") } else { (Paint::Yellow, "?") };
    let percent = mutants.killed * 100 / mutants.all;
    let rest = match (survive, mutants.not_reached) {
        (0, _) => String::new(),
        (survive, 0) => format!("; {survive} survive"),
        (survive, unreached) => format!("; {survive} survive, {unreached} of them where no test comes"),
    };
    let (mark, name) = (terminal.paint(mark.0, mark.1), terminal.paint(Paint::Bold, "mutants"));
    let same = if equivalent == 0 { String::new() } else { format!(", {equivalent} proved equivalent") };
    terminal.say(&format!("  {mark} {name}: {} of {} killed ({percent} %){same}{rest}", mutants.killed, mutants.all));
    unsettled(outcome, terminal);
}

/// Mutants of which nothing is known, where that was asked: why, and how many.
fn unsettled(outcome: &Outcome<'_>, terminal: Terminal) {
    let Some(Ok(kills)) = &outcome.kills else { return };
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for (_, settled) in &kills.settled {
        let what = match settled {
            Settled::Equivalent => continue,
            Settled::UpTo(length) => format!("the same with arrays of at most {length} elements"),
            Settled::Undefined(_) => "undefined on an input, which only a sanitizer shows".to_owned(),
            Settled::Unknown(reason) => format!("unknown: {reason}"),
        };
        *reasons.entry(what).or_default() += 1;
    }
    for (what, of) in reasons {
        terminal.say(&terminal.paint(Paint::Dim, &format!("      {of} {what}")));
    }
}

/// What proofs take for granted that C does not say.
fn assumptions(outcome: &Outcome<'_>, terminal: Terminal) {
    let Some(ledger) = &outcome.ledger else { return };
    let assumed: BTreeSet<_> = ledger.entries().flat_map(|(id, ..)| ledger.assumptions_of(id)).collect();
    for assumption in assumed {
        let said = format!("    * assumes: {assumption} ({}; docs/trust.md)", assumption.kind());
        terminal.say(&terminal.paint(Paint::Dim, &said));
    }
}

fn findings(program: &Program, tested: &Tested<'_>, outcome: &Outcome<'_>, terminal: Terminal) {
    let causes = finding::causes(&outcome.findings);
    let shown: Vec<Diagnostic> = causes.iter().map(|cause| finding_diagnostic(program, tested, cause)).collect();
    terminal.diagnostics(&shown, &program.sources);
}

fn finding_diagnostic(program: &Program, tested: &Tested<'_>, cause: &Cause<'_>) -> Diagnostic {
    let finding = cause.first;
    let failure = &finding.finding.failure;
    let values = suite::describe_input(program, tested.function, &finding.finding.input);
    let native = suite::shown(finding);
    let mut diagnostic = Diagnostic::warning(failure.span, failure.what.clone())
        .with_note(format!("with {values}"))
        .with_note(format!("native execution of this input: {native}"));
    if let Some(clause) = &finding.worth.requires {
        diagnostic = diagnostic.with_note(format!("excluded by the precondition: requires {clause};"));
    }
    let lines: BTreeSet<u32> =
        cause.others.iter().map(|other| suite::line(program, other.finding.failure.span)).collect();
    if lines.is_empty() {
        return diagnostic;
    }
    let shown: Vec<String> = lines.iter().take(MOST_LINES).map(u32::to_string).collect();
    let more = if lines.len() > MOST_LINES { ", ..." } else { "" };
    diagnostic.with_note(format!("of the same cause, {} more: in line {}{more}", cause.others.len(), shown.join(", ")))
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
fn suggestions(program: &Program, tested: &Tested<'_>, request: &TestRequest, terminal: Terminal) {
    if request.inputs.assume_inferred {
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

/// Why no input takes a prefix, or a family of them.
fn explain_refuted(program: &Program, refuted: &Refuted, terminal: Terminal) {
    let mut steps = steps(program, &refuted.path);
    let last = steps.pop().unwrap_or_default();
    if refuted.number > 1 {
        let refuted = format!("refuted {} prefixes,", refuted.number);
        terminal.say(&format!("  {} the first with {last}", terminal.paint(Paint::Bold, &refuted)));
    } else {
        terminal.say(&format!("  {} {last}", terminal.paint(Paint::Bold, "refuted")));
        steps.iter().for_each(|step| terminal.say(&format!("    after {step}")));
    }
    for reason in &refuted.because {
        let because = format!("because {}", explanation::because(program, reason));
        terminal.say(&format!("    {}", terminal.paint(Paint::Dim, &because)));
    }
}

/// Whether verdicts take something for granted, where the exit code is to say so.
pub(super) fn is_assuming(tested: &[Tested<'_>], arguments: &OutputArguments) -> bool {
    let ledgers = tested.iter().filter_map(|one| one.result.as_ref().ok()?.ledger.as_ref());
    let mut assumed = ledgers.flat_map(|ledger| ledger.entries().flat_map(|(id, ..)| ledger.assumptions_of(id)));
    arguments.deny.contains(&DenyName::Assumptions) && assumed.next().is_some()
}

/// Prints the summary for tools, if asked, and gives the status.
pub(super) fn summary(
    program: &Program,
    tested: &[Tested<'_>],
    arguments: &OutputArguments,
    terminal: Terminal,
) -> Status {
    let functions: Vec<FunctionSummary<'_>> = tested.iter().map(|one| FunctionSummary::of(program, one)).collect();
    let errors = functions.iter().filter(|function| function.error.is_some()).count();
    let is_denied =
        arguments.deny.contains(&DenyName::Findings) && functions.iter().any(|function| function.findings > 0);
    let found = is_denied || functions.iter().any(|function| function.diverged > 0);
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
