//! What `clew reach` and `clew prove` have in common: how goals are pursued, and what is said and written of them.

mod missing;

use crate::cli::{DenyName, GoalArguments, SummaryForm};
use crate::status::Status;
use crate::terminal::{Paint, Terminal};
use clew_emit::directory::function_code;
use clew_emit::{Framework, project};
use clew_execute::{Ending, Input};
use clew_frontend::Loaded;
use clew_ir::contract::print::Printer;
use clew_ir::contract::visit::Node;
use clew_ir::contract::{PlaceKind, Term};
use clew_ir::{CType, Function, FunctionId, Program, Span};
use clew_prove::{Carried, Proof, Verdict};
use clew_session::goals::{self, Answered, Asked};
use clew_session::suite::name::{Deed, name};
use clew_session::suite::{self, value};
use clew_session::{self as session, Natives, Request};
use clew_session::{output, select};
use clew_symbolic::Precondition;
use clew_symbolic::config::{Allocations, Config, Errors, Limits, Mode, Stubbing, Validity};
use clew_symbolic::ending::PathEnd;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;

/// The words of a command for its verdicts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    /// An input was found.
    pub(super) reached: &'static str,
    /// There is no input.
    pub(super) infeasible: &'static str,
    /// Whether finding an input is bad news.
    pub(super) is_violation: bool,
}

/// The summary for tools.
#[derive(Serialize)]
struct Summary {
    goals: Vec<GoalSummary>,
}

/// What came of one goal.
#[derive(Serialize)]
struct GoalSummary {
    id: String,
    function: String,
    line: u32,
    text: String,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<String>,
    /// The loop invariants that carry the proof.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    invariants: Vec<Invariant>,
    /// What decreases with each turn of a loop.
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
    /// What the proof takes for granted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    assumes: Vec<String>,
    /// What the contract would have to say of pointers so that the input is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<Vec<value::Typed>>,
    seconds: f64,
    /// Without building and executing.
    solving: f64,
}

/// An invariant of a loop.
#[derive(Serialize)]
struct Invariant {
    line: u32,
    text: String,
}

/// The goals of one function with what came of them.
pub(super) struct Pursued {
    pub(super) function: FunctionId,
    pub(super) answers: Vec<Answered>,
    /// Loops that are meant to go on for ever.
    pub(super) meant: Vec<Asked>,
}

/// Pursues goals of one function.
pub(super) fn pursue(
    loaded: &mut Loaded,
    function: FunctionId,
    asked: Vec<Asked>,
    errors: Errors,
    arguments: &GoalArguments,
    terminal: Terminal,
) -> Result<Pursued, Status> {
    try_pursue(loaded, function, asked, errors, arguments, terminal)?.map_err(|error| {
        terminal.error(&format!("cannot look at `{}`: {error}", loaded.program.functions[function].name));
        Status::BadInput
    })
}

/// Pursues goals of one function of several: what cannot be looked at is unknown.
pub(super) fn pursue_or_doubt(
    loaded: &mut Loaded,
    function: FunctionId,
    asked: Vec<Asked>,
    errors: Errors,
    arguments: &GoalArguments,
    terminal: Terminal,
) -> Result<Pursued, Status> {
    let pursued = try_pursue(loaded, function, asked.clone(), errors, arguments, terminal)?;
    Ok(pursued.unwrap_or_else(|error| {
        let answers = asked.into_iter().map(|asked| Answered::unknown(asked, error.to_string()));
        Pursued { function, answers: answers.collect(), meant: Vec::new() }
    }))
}

fn try_pursue(
    loaded: &mut Loaded,
    function: FunctionId,
    asked: Vec<Asked>,
    errors: Errors,
    arguments: &GoalArguments,
    terminal: Terminal,
) -> Result<Result<Pursued, session::Error>, Status> {
    let prepared = prepare(loaded, function, errors, arguments, terminal)?;
    Ok(prepared.with(loaded, |request| goals::run(request, asked)).map(|answers| Pursued {
        function,
        answers,
        meant: Vec::new(),
    }))
}

/// What is known of a function before its goals are looked at.
pub(super) struct Prepared {
    function: FunctionId,
    precondition: Precondition,
    config: Config,
}

impl Prepared {
    /// Asks something of the function.
    pub(super) fn with<T>(self, loaded: &Loaded, ask: impl FnOnce(&Request<'_, '_>) -> T) -> T {
        let Prepared { function, precondition, config } = self;
        let natives = Natives::new(&loaded.program, &loaded.builds, &[function], &config, false);
        ask(&Request { program: &loaded.program, natives: &natives, function, precondition, config })
    }
}

/// Reads the options that say what inputs may be.
pub(super) fn prepare(
    loaded: &mut Loaded,
    function: FunctionId,
    errors: Errors,
    arguments: &GoalArguments,
    terminal: Terminal,
) -> Result<Prepared, Status> {
    let precondition = select::precondition(loaded, function, &arguments.domain, &arguments.requires)
        .and_then(|clauses| {
            let guard = select::guard(&loaded.program, function, arguments.precondition.as_deref())?;
            Ok(Precondition { function: guard, ..clauses })
        })
        .map_err(|diagnostic| terminal.refuse(&diagnostic, &loaded.program.sources))?;
    let config = config(&loaded.program, function, errors, arguments);
    Ok(Prepared { function, precondition, config })
}

pub(super) fn config(program: &Program, function: FunctionId, errors: Errors, arguments: &GoalArguments) -> Config {
    Config {
        bound: arguments.bound,
        errors,
        globals: select::globals(program, function, arguments.globals.into()),
        mode: Mode::Goal,
        limits: Limits::until(arguments.budget().deadline()),
        seed: arguments.seed,
        stubbing: Stubbing { allocations: Allocations::MayFail, ..Stubbing::default() },
        assumptions: arguments.assumptions.into(),
        validity: if errors == Errors::Report { Validity::Demanded } else { Validity::Assumed },
        ..Config::default()
    }
}

/// Says what came of all goals, writes tests, and gives the status.
pub(super) fn finish(
    loaded: &Loaded,
    pursued: &[Pursued],
    words: Words,
    arguments: &GoalArguments,
    terminal: Terminal,
) -> Result<Status, Status> {
    for one in pursued {
        let describe = |input: &Input| suite::describe_input(&loaded.program, one.function, input);
        tell(&loaded.program, one, words, &describe, terminal);
    }
    write(loaded, pursued, arguments, terminal)?;
    count(pursued, words, terminal);
    summarise(pursued.iter().map(|one| (&loaded.program, one)), words, arguments, terminal);
    Ok(status(pursued, words, arguments))
}

/// Says what came of the goals of one function.
pub(super) fn tell(
    program: &Program,
    one: &Pursued,
    words: Words,
    describe: &dyn Fn(&Input) -> String,
    terminal: Terminal,
) {
    let (invalid, others) = missing::split(program, one, words);
    for answer in others {
        terminal.say(&sentence(program, one, answer, words, describe, terminal));
        if let Some(clause) = missing::clause(program, one.function, answer).filter(|_| words.is_violation) {
            terminal.say(&terminal.paint(Paint::Dim, &format!("    missing: requires {clause};")));
        }
    }
    missing::tell(program, one.function, &invalid, terminal);
    one.meant.iter().for_each(|asked| terminal.say(&meant(program, asked, terminal)));
    let assumed: BTreeSet<_> = one.answers.iter().flat_map(|answer| &answer.assumptions).collect();
    for assumption in assumed {
        let said = format!("    * assumes: {assumption} ({}; docs/trust.md)", assumption.kind());
        terminal.say(&terminal.paint(Paint::Dim, &said));
    }
}

/// Prints the summary for tools, if it is asked for.
pub(super) fn summarise<'a>(
    pursued: impl Iterator<Item = (&'a Program, &'a Pursued)>,
    words: Words,
    arguments: &GoalArguments,
    terminal: Terminal,
) {
    if arguments.summary != Some(SummaryForm::Json) {
        return;
    }
    let goals = pursued.flat_map(|(program, one)| {
        let answers = one.answers.iter().map(move |answer| summary(program, one.function, answer, words));
        answers.chain(one.meant.iter().map(move |asked| summary_of_meant(program, one.function, asked)))
    });
    let summary = Summary { goals: goals.collect() };
    let text = serde_json::to_string(&summary).expect("a summary is made of strings and numbers");
    terminal.print(&format!("{text}\n"));
}

/// Says how many goals have which verdict, where there are several.
fn count(pursued: &[Pursued], words: Words, terminal: Terminal) {
    let answers = || pursued.iter().flat_map(|one| &one.answers);
    let number = |is_counted: &dyn Fn(&Answered) -> bool| answers().filter(|answer| is_counted(answer)).count();
    if answers().nth(1).is_none() {
        return;
    }
    let excluded = |answer: &Answered| matches!(answer.verdict, Verdict::Infeasible(_));
    let assumed = match number(&|answer| excluded(answer) && !answer.assumptions.is_empty()) {
        0 => String::new(),
        assumed => format!(" ({assumed} under assumptions)"),
    };
    let counted = [
        (number(&excluded), format!("{}{assumed}", words.infeasible)),
        (number(&|answer| matches!(answer.verdict, Verdict::Reached(_))), words.reached.to_owned()),
        (number(&|answer| matches!(answer.verdict, Verdict::Unknown(_))), "unknown".to_owned()),
    ];
    let said = counted.iter().filter(|(number, _)| *number > 0).map(|(number, what)| format!("{number} {what}"));
    terminal.say(&format!("{} goals: {}", answers().count(), said.collect::<Vec<_>>().join(", ")));
}

/// Found violations come first, then what is not known; besides, whether a proof takes something for granted, if that is
/// asked.
pub(super) fn status<'a>(
    pursued: impl IntoIterator<Item = &'a Pursued>,
    words: Words,
    arguments: &GoalArguments,
) -> Status {
    let all: Vec<&Answered> = pursued.into_iter().flat_map(|one| &one.answers).collect();
    let answers = || all.iter().copied();
    let reached = |answer: &Answered| matches!(answer.verdict, Verdict::Reached(_));
    let unknown = |answer: &Answered| matches!(answer.verdict, Verdict::Unknown(_));
    let bad =
        |answer: &Answered| if words.is_violation { reached(answer) } else { !reached(answer) && !unknown(answer) };
    let status = match (answers().any(bad), answers().any(unknown)) {
        (true, _) => Status::Findings,
        (_, true) => Status::Limit,
        _ => Status::Fine,
    };
    let is_denied = arguments.deny.contains(&DenyName::Assumptions);
    status.assuming(is_denied && answers().any(|answer| !answer.assumptions.is_empty()))
}

fn sentence(
    program: &Program,
    one: &Pursued,
    answer: &Answered,
    words: Words,
    describe: &dyn Fn(&Input) -> String,
    terminal: Terminal,
) -> String {
    let (paint, mark, verdict) = match &answer.verdict {
        Verdict::Reached(_) if words.is_violation => (Paint::Red, "✗", words.reached.to_owned()),
        Verdict::Reached(_) => (Paint::Green, "✓", words.reached.to_owned()),
        Verdict::Infeasible(proof) if words.is_violation => {
            let mark = if answer.assumptions.is_empty() { (Paint::Green, "✓") } else { (Paint::Yellow, "✓*") };
            (mark.0, mark.1, proved(words, proof))
        }
        Verdict::Infeasible(proof) => {
            let mark = if answer.assumptions.is_empty() { "∅" } else { "∅*" };
            (Paint::Yellow, mark, proved(words, proof))
        }
        Verdict::Unknown(reasons) => (Paint::Yellow, "?", format!("unknown: {}", joined(reasons))),
    };
    let input = match &answer.verdict {
        Verdict::Reached(explored) => {
            let is_endless = answer.observation.as_ref().is_some_and(|seen| seen.ending == Ending::TimedOut);
            let ending = if is_endless { ": executed, and still running when its time was over" } else { "" };
            format!("\n    with {}{ending}", describe(&explored.input))
        }
        Verdict::Infeasible(proof) => {
            let invariants = invariants(program, one.function, proof).into_iter();
            let mut text = variant(program, answer.asked.span, proof).map_or(String::new(), |it| format!("\n    {it}"));
            text.extend(invariants.map(|it| format!("\n    loop invariant {};  // line {}", it.text, it.line)));
            terminal.paint(Paint::Dim, &text)
        }
        Verdict::Unknown(_) => String::new(),
    };
    let line = match suite::line(program, answer.asked.span) {
        0 => "--ensures".to_owned(),
        line => format!("line {line}"),
    };
    let name = if answer.asked.id == line { String::new() } else { format!("{}  ", answer.asked.id) };
    format!(
        "{} {}{line}: {}  {}  {}{input}",
        terminal.paint(paint, mark),
        terminal.paint(Paint::Bold, &name),
        answer.asked.text,
        terminal.paint(paint, &verdict),
        terminal.paint(Paint::Dim, &format!("{:.2} s", answer.elapsed.as_secs_f64())),
    )
}

fn proved(words: Words, proof: &Proof) -> String {
    format!("{} ({})", words.infeasible, describe(proof))
}

/// The invariants that carry a proof, in ACSL.
fn invariants(program: &Program, function: FunctionId, proof: &Proof) -> Vec<Invariant> {
    let (carried, function) = match proof {
        Proof::Inductive(carried) => (carried, function),
        Proof::Ranked(ranking) => (&ranking.carried, ranking.function),
        _ => return Vec::new(),
    };
    let data = &program.functions[function];
    let printer = Printer::new(program, data);
    let invariant = |carried: &Carried| Invariant {
        line: suite::line(program, data.loops[carried.target].span),
        text: printer.predicate(&carried.invariant),
    };
    carried.iter().map(invariant).collect()
}

/// What decreases, in ACSL: several measures count in their order.
pub(super) fn variant(program: &Program, span: Span, proof: &Proof) -> Option<String> {
    let Proof::Ranked(ranking) = proof else { return None };
    let data = &program.functions[ranking.function];
    if !ranking.variant.iter().all(|term| is_number(program, data, term)) {
        return None;
    }
    let printer = Printer::new(program, data);
    let terms: Vec<String> = ranking.variant.iter().map(|term| printer.term(term)).collect();
    let terms = if terms.len() == 1 { terms.concat() } else { format!("({})", terms.join(", ")) };
    let is_loop = data.loops.values().any(|it| it.span == span);
    Some(format!("{} {terms};", if is_loop { "loop variant" } else { "decreases" }))
}

/// Whether a sum of variables is a number in ACSL too, which knows differences of pointers, but not their addresses.
pub(super) fn is_number(program: &Program, function: &Function, term: &Term) -> bool {
    let mut pointers = 0;
    Node::Term(term).any(&mut |node| {
        if let Node::Place(place) = node {
            let ty = match &place.kind {
                PlaceKind::Param(index) => function.params[*index as usize].ty,
                PlaceKind::Local(local) => function.locals[*local].ty,
                PlaceKind::Global(global) => program.globals[*global].ty,
                _ => return false,
            };
            pointers += usize::from(matches!(program.ctypes.get(ty), CType::Pointer(_)));
        }
        false
    });
    pointers % 2 == 0
}

/// What is said of a loop that is meant to go on.
fn meant(program: &Program, asked: &Asked, terminal: Terminal) -> String {
    let line = suite::line(program, asked.span);
    let text = asked.text.trim_end_matches(" ends");
    format!("{} line {line}: {text}  has no way out: it is meant to go on", terminal.paint(Paint::Dim, "∞"))
}

pub(super) fn describe(proof: &Proof) -> String {
    match proof {
        Proof::AllPaths => "all paths".to_owned(),
        Proof::Backward => "all paths, by search backwards".to_owned(),
        Proof::Inductive(_) => "all paths, by induction with loop invariants".to_owned(),
        Proof::Abstract => "all paths, by abstract interpretation".to_owned(),
        Proof::Bounded(turns) => format!("up to {turns} turns of each loop"),
        Proof::Ranked(_) => "a measure decreases".to_owned(),
    }
}

pub(super) fn joined(reasons: &BTreeSet<String>) -> String {
    reasons.iter().cloned().collect::<Vec<_>>().join("; ")
}

fn summary(program: &Program, function: FunctionId, answer: &Answered, words: Words) -> GoalSummary {
    let (verdict, proof, reason, input) = match &answer.verdict {
        Verdict::Reached(explored) => {
            (words.reached, None, None, Some(value::inputs(program, function, &explored.input)))
        }
        Verdict::Infeasible(proof) => (words.infeasible, Some(describe(proof)), None, None),
        Verdict::Unknown(reasons) => ("unknown", None, Some(joined(reasons)), None),
    };
    GoalSummary {
        id: answer.asked.id.clone(),
        function: program.functions[function].name.clone(),
        line: suite::line(program, answer.asked.span),
        text: answer.asked.text.clone(),
        verdict,
        proof,
        invariants: match &answer.verdict {
            Verdict::Infeasible(proof) => invariants(program, function, proof),
            _ => Vec::new(),
        },
        variant: match &answer.verdict {
            Verdict::Infeasible(proof) => variant(program, answer.asked.span, proof),
            _ => None,
        },
        assumes: answer.assumptions.iter().map(ToString::to_string).collect(),
        missing: if words.is_violation { missing::clause(program, function, answer) } else { None },
        reason,
        input,
        seconds: answer.elapsed.as_secs_f64(),
        solving: answer.solving.as_secs_f64(),
    }
}

/// The summary of a loop that is meant to go on.
fn summary_of_meant(program: &Program, function: FunctionId, asked: &Asked) -> GoalSummary {
    GoalSummary {
        id: asked.id.clone(),
        function: program.functions[function].name.clone(),
        line: suite::line(program, asked.span),
        text: asked.text.clone(),
        verdict: "endless",
        proof: None,
        invariants: Vec::new(),
        variant: None,
        assumes: Vec::new(),
        missing: None,
        reason: Some("no way leads out of the loop".to_owned()),
        input: None,
        seconds: 0.0,
        solving: 0.0,
    }
}

/// Writes the inputs found as tests, if there are any.
fn write(loaded: &Loaded, pursued: &[Pursued], arguments: &GoalArguments, terminal: Terminal) -> Result<(), Status> {
    let out = &arguments.out;
    match write_tests(loaded, pursued, out) {
        Ok(0) => Ok(()),
        Ok(_) => {
            terminal.say(&format!("tests in {}; run them: make -C {} check", out.display(), out.display()));
            Ok(())
        }
        Err(error) => {
            terminal.error(&error.to_string());
            Err(Status::BadInput)
        }
    }
}

/// The number of functions with tests.
fn write_tests(loaded: &Loaded, pursued: &[Pursued], out: &Path) -> Result<usize, output::WriteError> {
    let mut targets = Vec::new();
    for one in pursued {
        let tests: Vec<clew_emit::Test> =
            one.answers.iter().filter_map(|answer| test(&loaded.program, one.function, answer)).collect();
        if !tests.is_empty() {
            std::fs::create_dir_all(out).map_err(|error| output::WriteError::Io(out.to_owned(), error))?;
            let observed = session::observed_globals(&loaded.program, one.function);
            let code = function_code(loaded, one.function, &observed, &tests, Framework::Plain, out)?;
            targets.extend(code.into_iter().map(|(target, _)| target));
        }
    }
    if targets.is_empty() {
        return Ok(0);
    }
    output::write(&out.join("Makefile"), project::makefile(Framework::Plain, &targets))?;
    Ok(targets.len())
}

fn test(program: &Program, function: FunctionId, answer: &Answered) -> Option<clew_emit::Test> {
    let (Verdict::Reached(explored), Some(observation)) = (&answer.verdict, &answer.observation) else { return None };
    // A test that does not end is of no use.
    if observation.ending == Ending::TimedOut {
        return None;
    }
    let undefined = match &explored.end {
        PathEnd::Failed(failure) => Some(failure.what.clone()),
        _ => None,
    };
    let lines = vec![format!("{}: {}", answer.asked.id, answer.asked.text)];
    Some(clew_emit::Test {
        name: name(program, &Deed { function, purpose: &[], observation }),
        lines,
        undefined,
        addressed: explored.addressed,
        diverged: false,
        input: explored.input.clone(),
        observation: observation.clone(),
    })
}
