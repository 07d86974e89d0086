//! `clew rules`: tests and oracles from a specification by rewriting rules, and tests of an implementation of it.

mod implementation;
mod integers;

use crate::cli::{PreferName, RulesArguments, RulesCriterion, SummaryForm};
use crate::status::Status;
use crate::terminal::{Paint, Terminal};
use clew_frontend::diagnostic::{Diagnostic, Place, Severity};
use clew_frontend_rules::spec::{FunctionId, Options, Spec};
use clew_frontend_rules::{Message, load, load_expression, termination};
use clew_ir::source::Unit;
use clew_ir::{Sources, Span};
use clew_rules::adapter::Adapter;
use clew_rules::generate::{Config, Outcome, Prefer, generate};
use clew_rules::program::program;
use clew_rules::report::{Counts, Report, json, page};
use clew_rules::{Concretise, Criterion, Verdict, evaluate, warnings};
use clew_session::output::{self, MARK};
use std::path::Path;
use std::rc::Rc;

pub(super) fn run(arguments: &RulesArguments, terminal: Terminal) -> Result<Status, Status> {
    let text = read(&arguments.file, terminal)?;
    let options = Options { integers: arguments.integers };
    let file = arguments.file.display().to_string();
    let mut spec = load(&text, options).map_err(|messages| refuse(&file, &text, &messages, terminal))?;
    if let Some(expression) = &arguments.eval {
        return eval(&mut spec, expression, arguments.steps, terminal);
    }
    if let Some(path) = &arguments.as_c {
        return write_program(&spec, &text, &file, path, terminal);
    }
    let adapter = arguments.adapter.as_deref().map(|path| read_adapter(path, &spec, terminal)).transpose()?;
    let config = config(&spec, adapter.as_ref(), arguments, terminal)?;
    let warnings = if arguments.no_warnings { Vec::new() } else { doubts(&spec, &config.functions) };
    say(&file, &text, &warnings, terminal);
    let outcome = generate(&spec, &config);
    let mut differences = Vec::new();
    let refused = |error: output::WriteError| {
        terminal.error(&error.to_string());
        Status::BadInput
    };
    std::fs::create_dir_all(&arguments.out).map_err(|error| {
        terminal.error(&format!("cannot make {}: {error}", arguments.out.display()));
        Status::BadInput
    })?;
    if let (Some(adapter), Some(path)) = (&adapter, &arguments.adapter) {
        differences = implementation::run(&spec, adapter, path, &outcome, arguments, terminal)?;
    }
    let report = Report {
        spec: &spec,
        file: &file,
        text: &text,
        outcome: &outcome,
        warnings: &warnings,
        differences: &differences,
        mark: MARK,
    };
    output::write(&arguments.out.join("rules.json"), json(&report)).map_err(refused)?;
    output::write(&arguments.out.join("report.html"), page(&report)).map_err(refused)?;
    Ok(summary(&report, &config.functions, arguments, terminal))
}

fn read(path: &Path, terminal: Terminal) -> Result<String, Status> {
    std::fs::read_to_string(path).map_err(|error| {
        terminal.error(&format!("{}: {error}", path.display()));
        Status::BadInput
    })
}

/// Prints messages against the text they are about.
fn say(file: &str, text: &str, messages: &[Message], terminal: Terminal) {
    let mut sources = Sources::default();
    let unit = sources.units.push(Unit { path: file.to_owned(), text: text.to_owned(), ..Unit::default() });
    let diagnostic = |message: &Message| {
        let severity = match message.severity {
            clew_frontend_rules::Severity::Warning => Severity::Warning,
            clew_frontend_rules::Severity::Error => Severity::Error,
        };
        let span = Span { unit, start: message.span.start, end: message.span.end };
        Diagnostic::new(severity, Place::Span(span), message.text.clone())
    };
    let diagnostics: Vec<Diagnostic> = messages.iter().map(diagnostic).collect();
    terminal.diagnostics(&diagnostics, &sources);
}

fn refuse(file: &str, text: &str, messages: &[Message], terminal: Terminal) -> Status {
    say(file, text, messages, terminal);
    Status::BadInput
}

/// What is doubtful in some functions.
fn doubts(spec: &Spec, functions: &[FunctionId]) -> Vec<Message> {
    let mut messages = termination::suspects(spec);
    messages.extend(warnings::messages(spec, functions));
    messages.sort_by_key(|message| message.span);
    messages
}

/// Prints what an expression becomes.
fn eval(spec: &mut Spec, expression: &str, steps: u64, terminal: Terminal) -> Result<Status, Status> {
    let root = load_expression(spec, expression)
        .map_err(|messages| refuse("the expression", expression, &messages, terminal))?;
    let evaluation = evaluate::expression(spec, root, steps);
    for result in &evaluation.results {
        terminal.print(&format!("{}\n", result.show(spec, &[])));
    }
    if evaluation.results.is_empty() && evaluation.is_complete {
        terminal.error("no rule applies: the expression has no value");
        return Ok(Status::Findings);
    }
    if !evaluation.is_complete {
        terminal.error(&format!("rewriting did not end within {steps} steps; raise `--steps`"));
        return Ok(Status::Limit);
    }
    Ok(Status::Fine)
}

/// Writes a specification as a program of C.
fn write_program(spec: &Spec, text: &str, file: &str, path: &Path, terminal: Terminal) -> Result<Status, Status> {
    output::write(path, program(spec, text, file, MARK)).map_err(|error| {
        terminal.error(&error.to_string());
        Status::BadInput
    })?;
    let functions = spec.functions.len();
    terminal.say(&format!("{functions} functions and {} rules in {}", spec.rules.len(), path.display()));
    Ok(Status::Fine)
}

fn read_adapter(path: &Path, spec: &Spec, terminal: Terminal) -> Result<Adapter, Status> {
    let text = read(path, terminal)?;
    let refuse = |what: &str| {
        terminal.error(&format!("{}: {what}", path.display()));
        Status::BadInput
    };
    let adapter = Adapter::read(&text).map_err(|error| refuse(&error))?;
    match adapter.unknown(spec).as_slice() {
        [] => Ok(adapter),
        unknown => Err(refuse(&unknown.join("; "))),
    }
}

/// What the arguments ask for.
fn config(
    spec: &Spec,
    adapter: Option<&Adapter>,
    arguments: &RulesArguments,
    terminal: Terminal,
) -> Result<Config, Status> {
    let mut config =
        Config { steps: arguments.steps, integers: Some(Rc::new(integers::BitVectors)), ..Config::new(spec) };
    let unknown = |what: &str, name: &str| {
        terminal.error(&format!("the specification has no {what} `{name}`"));
        Status::BadInput
    };
    if let Some(adapter) = adapter {
        config.functions = adapter.implemented(spec);
    }
    if !arguments.function.is_empty() {
        let find = |name: &String| spec.function(name).ok_or_else(|| unknown("function", name));
        config.functions = arguments.function.iter().map(find).collect::<Result<_, _>>()?;
    }
    if !arguments.abnormal.is_empty() {
        let find = |name: &String| spec.constructor(name).ok_or_else(|| unknown("constructor", name));
        config.abnormal = arguments.abnormal.iter().map(find).collect::<Result<_, _>>()?;
    }
    let criterion = |criterion: &RulesCriterion| match criterion {
        RulesCriterion::AllRules => Criterion::AllRules,
        RulesCriterion::AllRulesEverywhere => Criterion::AllRulesEverywhere,
        RulesCriterion::RulePairs => Criterion::RulePairs,
        RulesCriterion::Boundary => Criterion::Boundary,
    };
    config.criteria = arguments.criterion.iter().map(criterion).collect();
    config.prefer = match arguments.prefer {
        None => Prefer::Simple,
        Some(PreferName::Normal) => Prefer::Normal,
        Some(PreferName::Abnormal) => Prefer::Abnormal,
    };
    if let Some(size) = arguments.random {
        config.concretise = Concretise::Random { size, seed: arguments.seed };
    }
    Ok(config)
}

/// Prints what came of it, and says how it ended.
fn summary(report: &Report<'_>, functions: &[FunctionId], arguments: &RulesArguments, terminal: Terminal) -> Status {
    let counts = Counts::of(report.outcome);
    for function in functions {
        line(report, *function, terminal);
    }
    let out = arguments.out.display();
    terminal.say(&format!(
        "{} objectives: {} covered, {} infeasible, {} unknown; {} tests; {} differences",
        report.outcome.objectives.len(),
        counts.covered,
        counts.infeasible,
        counts.unknown,
        report.outcome.tests.len(),
        report.differences.len()
    ));
    terminal.say(&format!("suite in {out}: report.html, rules.json"));
    if arguments.summary == Some(SummaryForm::Json) {
        terminal.print(&format!(
            "{{\"objectives\":{},\"covered\":{},\"infeasible\":{},\"unknown\":{},\"tests\":{},\"differences\":{},\
            \"steps\":{}}}\n",
            report.outcome.objectives.len(),
            counts.covered,
            counts.infeasible,
            counts.unknown,
            report.outcome.tests.len(),
            report.differences.len(),
            report.outcome.steps
        ));
    }
    match (report.differences.len(), counts.unknown) {
        (0, 0) => Status::Fine,
        (0, _) => Status::Limit,
        _ => Status::Findings,
    }
}

/// One line about a function.
fn line(report: &Report<'_>, function: FunctionId, terminal: Terminal) {
    let Report { spec, outcome, .. } = *report;
    let own = |outcome: &Outcome| {
        let of = |one: &&clew_rules::Objective| spec.rules[one.rule.index()].function == function;
        outcome.objectives.iter().filter(of).map(|one| one.verdict.clone()).collect::<Vec<Verdict>>()
    };
    let verdicts = own(outcome);
    let count = |wanted: fn(&Verdict) -> bool| verdicts.iter().filter(|verdict| wanted(verdict)).count();
    let unknown = count(|verdict| matches!(verdict, Verdict::Unknown(_)));
    let sign = if unknown == 0 { terminal.paint(Paint::Green, "✓") } else { terminal.paint(Paint::Yellow, "?") };
    terminal.say(&format!(
        "{sign} {}  {} covered, {} infeasible, {unknown} unknown",
        spec.functions[function.index()].name,
        count(|verdict| matches!(verdict, Verdict::Covered(_))),
        count(|verdict| matches!(verdict, Verdict::Infeasible(_))),
    ));
}
