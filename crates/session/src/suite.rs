//! A suite as data: what was tested, how, and what was observed. Its JSON form is described in `docs/formats.md`.

pub mod changes;
mod layout;
pub mod made;
pub mod mutants;
pub mod name;
pub mod objective;
pub mod purpose;
pub mod raw;
mod spell;
pub mod told;
pub mod value;

use crate::ctext::known_signal;
use crate::finding::Kind;
use crate::function::{Difference, Outcome, Replayed, ReplayedFinding};
use clew_execute::{Ending, Event, Observation, Repeat};
use clew_ir::{FunctionId, Program, Span};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use told::Told;

/// A whole suite.
#[derive(Debug, Serialize, Deserialize)]
pub struct Suite {
    /// What made it; the mark by which a file is known to be ours.
    pub generator: String,
    /// Version of this form.
    pub format: u32,
    /// What it was made from.
    #[serde(default)]
    pub made: Option<made::Made>,
    /// The functions tested.
    pub functions: Vec<FunctionSuite>,
}

/// The suite of one function.
#[derive(Debug, Serialize, Deserialize)]
pub struct FunctionSuite {
    /// Its name.
    pub name: String,
    /// Its source file.
    pub file: String,
    /// Where it begins.
    pub line: u32,
    /// Hash of its preprocessed definition.
    pub source_hash: String,
    /// The bound on loop iterations.
    pub k: Option<u32>,
    /// Places where paths fork; paths refer to them by position.
    pub branches: Vec<Branch>,
    /// The tests.
    pub tests: Vec<TestCase>,
    /// The objectives of the criteria asked for.
    #[serde(default)]
    pub objectives: Vec<objective::ObjectiveCase>,
    /// How good the tests are: which mutants of the function they kill.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutants: Option<mutants::MutantCases>,
    /// Failing checks.
    pub findings: Vec<FindingCase>,
    /// Prefixes of paths that no input takes.
    pub refuted_prefixes: u64,
    /// Prefixes that were left open.
    pub open_prefixes: u64,
    /// Why the exploration stopped.
    pub stop: String,
}

/// A place where paths fork.
#[derive(Debug, Serialize, Deserialize)]
pub struct Branch {
    /// The function it stands in.
    pub function: String,
    /// Its line.
    pub line: u32,
    /// The condition as written.
    pub text: String,
}

/// A step of a path: the position of a branch in the list of them, and where it went.
pub type Step = (u32, Taken);

/// Where a branch went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Taken {
    /// The outcome of a condition.
    Outcome(bool),
    /// The arm of a switch.
    Arm(u32),
}

impl fmt::Display for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Taken::Outcome(outcome) => outcome.fmt(f),
            Taken::Arm(arm) => arm.fmt(f),
        }
    }
}

/// One test.
#[derive(Debug, Serialize, Deserialize)]
pub struct TestCase {
    /// Its number, from 1.
    pub id: usize,
    /// Its name, as the test code has it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Its place in the test code: the tests of a function stand there in this order.
    #[serde(default)]
    pub place: usize,
    /// What is said above it there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    /// The objectives it was made for, in words.
    pub purpose: Vec<String>,
    /// Arguments, globals and objects, each with its C type.
    pub inputs: Vec<value::Typed>,
    /// How often it calls the function, if several times: the last call is the one that is observed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<usize>,
    /// The same byte by byte.
    #[serde(default)]
    pub raw: raw::Raw,
    /// Whether it stood in the suite that was given.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub given: bool,
    /// Steps: position in the branches, and the outcome (`true`, `false`, or the arm of a switch).
    pub path: Vec<Step>,
    /// What the steps leave out because it happens again and again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repeats: Vec<RepeatCase>,
    /// Most iterations of one loop.
    pub turns: u32,
    /// How it ended.
    pub ending: String,
    /// What it returned.
    pub result: Option<serde_json::Value>,
    /// Objects and globals after the call.
    pub outputs: Vec<value::Typed>,
    /// How the execution differs from the prediction.
    pub divergence: Option<String>,
}

/// A failing check.
#[derive(Debug, Serialize, Deserialize)]
pub struct FindingCase {
    /// What happens.
    pub what: String,
    /// The function in which it happens.
    pub function: String,
    /// The line.
    pub line: u32,
    /// The expression.
    pub text: String,
    /// An input that makes it happen.
    pub inputs: Vec<value::Typed>,
    /// How the native execution of that input ended.
    pub native: Option<String>,
    /// `memory`, `division`, `overflow` or `other`.
    #[serde(default)]
    pub kind: Option<Kind>,
    /// Whether that execution alone shows it.
    #[serde(default)]
    pub confirmed: bool,
    /// The clause that would exclude it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires: Option<String>,
    /// Number of its cause, from 1: findings of one kind that the same missing precondition brings about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<usize>,
}

impl Suite {
    /// A suite of functions.
    pub fn new(functions: Vec<FunctionSuite>) -> Suite {
        let generator = format!("{} {}", crate::output::MARK, env!("CARGO_PKG_VERSION"));
        Suite { generator, format: 1, made: None, functions }
    }

    /// The text of `suite.json`; the mark stands in its first line.
    pub fn json(&self) -> String {
        let mut text = Vec::new();
        let mut writer = serde_json::Serializer::with_formatter(&mut text, layout::Lines::default());
        self.serialize(&mut writer).expect("a suite is made of strings, numbers and lists");
        let text = String::from_utf8(text).expect("JSON is UTF-8");
        text.replacen("{\n  \"generator\"", "{ \"generator\"", 1) + "\n"
    }
}

impl FunctionSuite {
    /// The suite of a function that was tested.
    pub fn new(
        program: &Program,
        function: FunctionId,
        k: Option<u32>,
        (outcome, told): (&Outcome<'_>, &[Told]),
    ) -> FunctionSuite {
        let mut suite = FunctionSuite::of_tests(program, function, k, &outcome.tests, &outcome.observed);
        for (case, Told { name, place, lines }) in suite.tests.iter_mut().zip(told) {
            (case.name, case.place, case.lines) = (name.clone(), *place, lines.clone());
        }
        suite.findings = outcome.findings.iter().map(|finding| finding_case(program, function, finding)).collect();
        for difference in outcome.optimised.iter().flatten().flatten() {
            suite.findings.push(difference_case(program, function, outcome, difference));
        }
        if let Some(ledger) = &outcome.ledger {
            suite.objectives = objective::cases(ledger);
            for (case, test) in suite.tests.iter_mut().zip(&outcome.tests) {
                case.purpose = objective::purposes(ledger, &test.explored);
            }
        }
        let kills = outcome.kills.as_ref().and_then(|kills| kills.as_ref().ok());
        suite.mutants = kills.map(|kills| mutants::MutantCases::of(program, kills));
        suite.refuted_prefixes = outcome.summary.refuted;
        suite.open_prefixes = outcome.summary.open + outcome.summary.given_up.values().sum::<u64>();
        suite.stop = stop(outcome).to_owned();
        suite
    }

    /// The suite of a function while it is being tested.
    pub fn of_tests(
        program: &Program,
        function: FunctionId,
        k: Option<u32>,
        tests: &[Replayed],
        observed: &[clew_ir::GlobalId],
    ) -> FunctionSuite {
        let data = &program.functions[function];
        let place = program.sources.locate(data.span);
        let mut branches = Branches::default();
        let cases = tests.iter().enumerate().map(|(index, test)| {
            let path = test.explored.path.iter().map(|event| branches.step(program, event)).collect();
            test_case(program, function, index + 1, test, path, observed)
        });
        let tests = cases.collect();
        FunctionSuite {
            name: data.name.clone(),
            file: place.as_ref().map_or_else(String::new, |place| place.file.clone()),
            line: place.map_or(0, |place| place.line),
            source_hash: hash(program.sources.text(data.span)),
            k,
            branches: branches.list,
            tests,
            objectives: Vec::new(),
            mutants: None,
            findings: Vec::new(),
            refuted_prefixes: 0,
            open_prefixes: 0,
            stop: "running".to_owned(),
        }
    }
}

/// Why an exploration stopped, in a word.
pub fn stop(outcome: &Outcome<'_>) -> &'static str {
    use clew_search::Stop;
    let summary = &outcome.summary;
    let whole = summary.given_up.is_empty() && summary.limits.is_empty() && outcome.unsupported.is_empty();
    match summary.stop {
        Stop::Exhausted if whole => "exhausted",
        Stop::Exhausted => "limits",
        Stop::Decided => "decided",
        Stop::Stalled | Stop::Ripe => unreachable!("an exploration goes on after a pause"),
        Stop::Tests => "tests",
        Stop::Effort => "effort",
        Stop::Time => "time",
        Stop::Stagnant => "hopeless",
        Stop::Memory => "memory",
        Stop::Asked => "stopped",
    }
}

/// Branches by where they stand, numbered as they are met.
#[derive(Default)]
struct Branches {
    list: Vec<Branch>,
    numbers: BTreeMap<(FunctionId, bool, u32), usize>,
}

impl Branches {
    fn step(&mut self, program: &Program, event: &Event) -> Step {
        let (key, span, outcome) = match *event {
            Event::Condition { function, condition, outcome } => {
                let span = program.functions[function].conditions[condition].span;
                ((function, false, condition.raw()), span, Taken::Outcome(outcome))
            }
            Event::Switch { function, decision, arm } => {
                let span = program.functions[function].decisions[decision].span;
                ((function, true, decision.raw()), span, Taken::Arm(arm))
            }
        };
        let next = self.list.len();
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            let function = program.functions[key.0].name.clone();
            self.list.push(Branch { function, line: line(program, span), text: source(program, span) });
        }
        (number as u32, outcome)
    }
}

/// The line of a span.
pub fn line(program: &Program, span: Span) -> u32 {
    program.sources.locate(span).map_or(0, |place| place.line)
}

/// The source text of a span on one line, without the line markers of the preprocessor.
pub fn source(program: &Program, span: Span) -> String {
    program.sources.written(span)
}

/// The beginning of a text.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

/// Steps of a path that happen again and again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepeatCase {
    /// Position in the path.
    pub at: usize,
    /// How many steps before it are repeated there.
    pub events: usize,
    /// How many times more they follow.
    pub times: u64,
}

impl From<&Repeat> for RepeatCase {
    fn from(repeat: &Repeat) -> RepeatCase {
        RepeatCase { at: repeat.at, events: repeat.events, times: repeat.times }
    }
}

fn test_case(
    program: &Program,
    function: FunctionId,
    id: usize,
    test: &Replayed,
    path: Vec<Step>,
    observed: &[clew_ir::GlobalId],
) -> TestCase {
    TestCase {
        id,
        name: String::new(),
        place: 0,
        lines: Vec::new(),
        purpose: Vec::new(),
        inputs: value::inputs(program, function, &test.explored.input),
        calls: calls(&test.explored.input),
        raw: raw::raw(program, &test.explored.input),
        given: test.explored.given,
        path,
        repeats: test.explored.repeats.iter().map(RepeatCase::from).collect(),
        turns: test.explored.turns,
        ending: ending(&test.observation),
        result: value::result(program, function, &test.observation),
        outputs: value::outputs(program, &test.explored.input, &test.observation, observed),
        divergence: test.divergence.clone(),
    }
}

fn finding_case(program: &Program, function: FunctionId, finding: &ReplayedFinding) -> FindingCase {
    let failure = &finding.finding.failure;
    FindingCase {
        what: failure.what.clone(),
        function: program.functions[failure.function].name.clone(),
        line: line(program, failure.span),
        text: source(program, failure.span),
        inputs: value::inputs(program, function, &finding.finding.input),
        native: finding.observation.as_ref().map(ending),
        kind: Some(finding.worth.kind),
        confirmed: finding.worth.confirmed,
        requires: finding.worth.requires.clone(),
        cause: Some(finding.worth.cause + 1),
    }
}

/// A test that does something else in an optimised build.
fn difference_case(
    program: &Program,
    function: FunctionId,
    outcome: &Outcome<'_>,
    difference: &Difference,
) -> FindingCase {
    let data = &program.functions[function];
    FindingCase {
        what: format!("optimisation changes test {}: it {}", difference.test + 1, difference.what),
        function: data.name.clone(),
        line: line(program, data.span),
        text: data.name.clone(),
        inputs: value::inputs(program, function, &outcome.tests[difference.test].explored.input),
        native: Some(ending(&outcome.tests[difference.test].observation)),
        kind: None,
        confirmed: true,
        requires: None,
        cause: None,
    }
}

/// An input on one line, such as `x = 3, *a = {1, 2}, *p = {.next = NULL}`.
pub fn describe_input(program: &Program, function: FunctionId, input: &clew_execute::Input) -> String {
    let parts = value::inputs(program, function, input);
    let told = parts.iter().filter(|part| !spell::goes_without_saying(part));
    let mut parts: Vec<String> = told.map(spell::equation).collect();
    parts.extend(calls(input).map(|calls| format!("the last of {calls} calls")));
    if parts.is_empty() { "no input".to_owned() } else { parts.join(", ") }
}

/// How often a test calls the function, if several times.
fn calls(input: &clew_execute::Input) -> Option<usize> {
    (!input.earlier.is_empty()).then_some(input.earlier.len() + 1)
}

/// How an execution ended, in words.
pub fn ending(observation: &Observation) -> String {
    match &observation.ending {
        Ending::Returned => "returned".to_owned(),
        Ending::Stopped => "stopped by a function that does not return".to_owned(),
        Ending::Exited(status) => format!("exited with {status}"),
        Ending::Signalled(signal) => match known_signal(*signal) {
            Some(name) => format!("ended by signal {signal} ({name})"),
            None => format!("ended by signal {signal}"),
        },
        Ending::TimedOut => "did not end in time".to_owned(),
        Ending::Sanitizer(line) => format!("sanitizer: {line}"),
    }
}

/// What the execution of a finding's input showed, in words.
pub fn shown(finding: &ReplayedFinding) -> String {
    match &finding.observation {
        None => "not executed".to_owned(),
        Some(observation) if finding.worth.confirmed => format!("{}, which confirms it", ending(observation)),
        Some(observation) => format!("{}, which does not show it", ending(observation)),
    }
}

/// SHA-256 of a text.
fn hash(text: &str) -> String {
    format!("sha256:{}", crate::hash::sha256(text.as_bytes()))
}
