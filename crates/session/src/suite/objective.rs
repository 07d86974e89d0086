//! Objectives as data: what was asked for, and what came of it.

use clew_coverage::label::Label;
use clew_coverage::objective::{Goal, Objective};
use clew_coverage::{Assumption, Criterion, Ledger, ObjectiveId, Proof, Reason, Verdict, words};
use clew_execute::Event;
use clew_ir::Program;
use clew_symbolic::Explored;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// An objective with its verdict.
#[derive(Debug, Serialize, Deserialize)]
pub struct ObjectiveCase {
    /// The criterion that asks for it.
    pub criterion: String,
    /// The function it is about.
    pub function: String,
    /// Its line.
    pub line: u32,
    /// Of what kind it is, such as `outcome` (of a condition), `result` (of a decision) or `arm` (of a `switch`).
    #[serde(default)]
    pub kind: String,
    /// What it asks for.
    pub what: String,
    /// `covered`, `infeasible` or `unknown`.
    pub verdict: String,
    /// The proof or the reason, where it is not covered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// What the verdict takes for granted, in words; nothing where it holds for every environment that C allows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumes: Vec<String>,
    /// The tests that cover it, from 1; findings are numbered after the tests.
    pub tests: Vec<u32>,
}

impl ObjectiveCase {
    /// The proof or the reason, with what it takes for granted.
    pub fn explanation(&self) -> Option<String> {
        let because = self.because.clone()?;
        Some(match self.assumes.as_slice() {
            [] => because,
            assumes => format!("{because}; assumes: {}", assumes.join("; ")),
        })
    }
}

/// How many objectives of a criterion have which verdict.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Count {
    /// The criterion.
    pub criterion: &'static str,
    /// All objectives.
    pub objectives: usize,
    /// Covered ones.
    pub covered: usize,
    /// Infeasible ones.
    pub infeasible: usize,
    /// Undecided ones.
    pub unknown: usize,
    /// Infeasible ones whose proof takes something for granted.
    pub assumed: usize,
}

/// All objectives of a ledger.
pub fn cases(ledger: &Ledger<'_>) -> Vec<ObjectiveCase> {
    ledger.entries().map(|(id, objective, verdict)| case(ledger, id, objective, verdict)).collect()
}

fn case(ledger: &Ledger<'_>, id: ObjectiveId, objective: &Objective, verdict: &Verdict) -> ObjectiveCase {
    let program = ledger.program();
    let tests = match verdict {
        Verdict::Covered(tests) => tests.iter().map(|test| test + 1).collect(),
        _ => Vec::new(),
    };
    ObjectiveCase {
        criterion: objective.criterion.name().to_owned(),
        function: program.functions[objective.function].name.clone(),
        line: super::line(program, objective.span),
        kind: kind(&objective.goal).to_owned(),
        what: words::describe(program, ledger.labels(), objective),
        verdict: name(verdict).to_owned(),
        because: because(verdict),
        assumes: ledger.assumptions_of(id).map(Assumption::to_string).collect(),
        tests,
    }
}

/// The kind of an objective in a word.
fn kind(goal: &Goal) -> &'static str {
    match goal {
        Goal::Block(_) => "block",
        Goal::Call(_) => "call",
        Goal::Outcome(..) => "outcome",
        Goal::Result(..) => "result",
        Goal::Arm(..) => "arm",
        Goal::Evaluation(..) => "evaluation",
        Goal::Independence(..) => "independence",
        Goal::Mutant(..) => "mutant",
        Goal::Definition(..) => "definition",
        Goal::Flow(..) => "flow",
        Goal::Turns(..) => "turns",
        Goal::Label(_) => "label",
        Goal::Failure(_) => "failure",
    }
}

/// The verdict in a word.
pub fn name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Covered(_) => "covered",
        Verdict::Infeasible(_) => "infeasible",
        Verdict::Unknown(_) | Verdict::Open => "unknown",
    }
}

/// The proof or the reason behind a verdict.
pub fn because(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Covered(_) => None,
        Verdict::Infeasible(Proof::Paths) => Some("all paths were explored, and none does".to_owned()),
        Verdict::Infeasible(Proof::PathsWithin(k)) => {
            Some(format!("all paths with at most {k} iterations of each loop were explored, and none does"))
        }
        Verdict::Infeasible(Proof::Undefined(bound)) => {
            let within = bound.map_or(String::new(), |k| format!("with at most {k} iterations of each loop, "));
            Some(format!("{within}only inputs do that then run into something undefined: see the findings"))
        }
        Verdict::Infeasible(Proof::Fact(fact)) => Some(fact.clone()),
        Verdict::Unknown(Reason::Limit(limit)) => Some(format!("limit: {limit}")),
        Verdict::Unknown(Reason::Unsupported(what)) => Some(format!("not supported: {what}")),
        Verdict::Unknown(Reason::NotConfirmed) => Some("its test was not confirmed by execution".to_owned()),
        Verdict::Unknown(Reason::Assumes(assumed)) => Some(format!("infeasible only if {assumed}")),
        Verdict::Open => Some("not decided yet".to_owned()),
    }
}

/// How an objective is told.
type Describe = fn(&Program, &[Label], &Objective) -> String;

/// The objectives a test was made for, in words.
pub fn purposes(ledger: &Ledger<'_>, test: &Explored) -> Vec<String> {
    of_test(ledger, test, words::describe)
}

/// The same without numbers of lines.
pub fn purposes_without_lines(ledger: &Ledger<'_>, test: &Explored) -> Vec<String> {
    of_test(ledger, test, words::describe_without_lines)
}

fn of_test(ledger: &Ledger<'_>, test: &Explored, describe: Describe) -> Vec<String> {
    test.newly_covered.iter().map(|id| purpose(ledger, ledger.objective(*id), &test.path, describe)).collect()
}

/// An objective as one test serves it: of a pair, it may be one half.
fn purpose(ledger: &Ledger<'_>, objective: &Objective, path: &[Event], describe: Describe) -> String {
    let whole = describe(ledger.program(), ledger.labels(), objective);
    let Goal::Independence(wanted, _) = objective.goal else { return whole };
    let outcomes: BTreeSet<bool> = path
        .iter()
        .filter_map(|event| match *event {
            Event::Condition { function, condition, outcome } => {
                (function == objective.function && condition == wanted).then_some(outcome)
            }
            Event::Switch { .. } => None,
        })
        .collect();
    match (outcomes.first().filter(|_| outcomes.len() == 1), whole.strip_prefix("takes both sides of ")) {
        (Some(outcome), Some(place)) => format!("takes the {outcome} side of {place}"),
        (Some(outcome), None) => format!("{whole}, here by being {outcome}"),
        (None, _) => whole,
    }
}

/// How many objectives of each criterion have which verdict.
pub fn counts(ledger: &Ledger<'_>) -> Vec<Count> {
    let count = |criterion: Criterion| {
        let verdicts = ledger.entries().filter(|(_, objective, _)| objective.criterion == criterion);
        let mut count =
            Count { criterion: criterion.name(), objectives: 0, covered: 0, infeasible: 0, unknown: 0, assumed: 0 };
        for (id, _, verdict) in verdicts {
            count.objectives += 1;
            count.assumed += usize::from(ledger.assumptions_of(id).next().is_some());
            match verdict {
                Verdict::Covered(_) => count.covered += 1,
                Verdict::Infeasible(_) => count.infeasible += 1,
                Verdict::Unknown(_) | Verdict::Open => count.unknown += 1,
            }
        }
        count
    };
    Criterion::all().map(count).filter(|count| count.objectives > 0).collect()
}
