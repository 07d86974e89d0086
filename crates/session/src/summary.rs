//! What came of functions, in numbers: the summary for tools.

use crate::explanation;
use crate::finding;
use crate::function::{Error, Kills, Outcome};
use crate::suite::{
    self,
    objective::{Count, counts},
};
use crate::test::Tested;
use clew_execute::Event;
use clew_ir::Program;
use clew_search::refuted::Refuted;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The summary for tools.
#[derive(Debug, Serialize)]
pub struct Summary<'a> {
    /// What came of each function.
    pub functions: Vec<FunctionSummary<'a>>,
}

/// What came of one function.
#[derive(Debug, Serialize)]
pub struct FunctionSummary<'a> {
    /// Its name.
    pub name: &'a str,
    /// Tests that were executed.
    pub tests: usize,
    /// Tests of paths within the bound.
    pub paths_within_k: usize,
    /// Tests of paths beyond it.
    pub superfluous_tests: usize,
    /// Paths of the graph, feasible or not, that are within the bound, in decimal digits: where paths were asked for, and
    /// there is such a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths_of_graph: Option<String>,
    /// Those of them that no input takes, in decimal digits: where all others were taken, and nothing undefined was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub infeasible_paths: Option<String>,
    /// Prefixes that no input takes.
    pub refuted_prefixes: u64,
    /// Prefixes that were left open.
    pub open_prefixes: u64,
    /// Tests that were executed, again.
    pub replayed: usize,
    /// Tests that took another path than predicted.
    pub diverged: usize,
    /// Failing checks, and tests that optimisation changes.
    pub findings: usize,
    /// How many causes the failing checks have.
    pub causes: usize,
    /// Why prefixes have no input, where that was asked for: those with the same reasons together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub families: Vec<Family>,
    /// Why it ended.
    pub stop: &'static str,
    /// What was limited on the way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<Cow<'static, str>>,
    /// The most calls that one test makes of a function which remembers earlier ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<usize>,
    /// Seconds it took.
    pub seconds: f64,
    /// Seconds of processor time, those of compilers and of all tests included.
    pub cpu_seconds: f64,
    /// Seconds of work that exploring took, as `--effort` counts them: the same on every machine.
    pub effort: f64,
    /// How many objectives of each criterion have which verdict.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub criteria: Vec<Count>,
    /// How many mutants the tests kill, and how many there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mutants: Option<Mutants>,
    /// Why it was not tested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Prefixes that no input takes for the same reasons.
#[derive(Clone, Debug, Serialize)]
pub struct Family {
    /// How many there are.
    pub prefixes: u64,
    /// What cannot hold together.
    pub because: Vec<String>,
}

/// How good the tests of a function are.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Mutants {
    /// How many mutants there are.
    pub all: usize,
    /// How many of them some test kills.
    pub killed: usize,
    /// How many of them are proved to be the same function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equivalent: Option<usize>,
    /// How many of them are known to do the same with arrays up to a length only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up_to: Option<usize>,
    /// How many of them are undefined on an input on which the function is not, which does not show natively.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<usize>,
    /// Of how many it is not known whether they are, where that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<usize>,
    /// How many of them are at places that no test comes to.
    pub not_reached: usize,
}

/// The paths of the graph that no input takes, if all others were taken: nothing was left open, and no check that fails cut one
/// short.
fn infeasible_paths(outcome: &Outcome<'_>, bound: Option<u32>) -> Option<u128> {
    let is_whole = suite::stop(outcome) == "exhausted" && outcome.summary.open == 0 && outcome.findings.is_empty();
    let all = outcome.summary.graph.filter(|_| is_whole)?;
    let within = outcome.tests.iter().filter(|test| bound.is_none_or(|k| test.explored.turns <= k));
    let taken: BTreeSet<&[Event]> = within.map(|test| &test.explored.path[..]).collect();
    all.checked_sub(taken.len() as u128)
}

impl<'a> FunctionSummary<'a> {
    /// What came of a function.
    pub fn of(program: &'a Program, tested: &Tested<'_>) -> FunctionSummary<'a> {
        let name = &program.functions[tested.function].name;
        match &tested.result {
            Ok(outcome) => FunctionSummary::new(program, name, tested.budget.k, outcome),
            Err(error) => FunctionSummary::failed(name, error),
        }
    }

    fn new(program: &Program, name: &'a str, bound: Option<u32>, outcome: &Outcome<'_>) -> FunctionSummary<'a> {
        let family = |refuted: &Refuted| Family {
            prefixes: refuted.number,
            because: refuted.because.iter().map(|reason| explanation::because(program, reason)).collect(),
        };
        let tests = outcome.tests.len();
        let within = outcome.tests.iter().filter(|test| bound.is_none_or(|k| test.explored.turns <= k)).count();
        FunctionSummary {
            name,
            tests,
            paths_within_k: within,
            superfluous_tests: tests - within,
            paths_of_graph: outcome.summary.graph.map(|paths| paths.to_string()),
            infeasible_paths: infeasible_paths(outcome, bound).map(|paths| paths.to_string()),
            refuted_prefixes: outcome.summary.refuted,
            open_prefixes: outcome.summary.open + outcome.summary.given_up.values().sum::<u64>(),
            replayed: tests,
            diverged: outcome.tests.iter().filter(|test| test.divergence.is_some()).count(),
            findings: outcome.findings.iter().filter(|one| one.worth.is_wanted).count()
                + outcome.optimised.iter().flatten().flatten().count(),
            causes: finding::causes(&outcome.findings).len(),
            families: outcome.summary.explained.iter().map(family).collect(),
            stop: suite::stop(outcome),
            limits: outcome.summary.limits.iter().map(|limit| limit.name()).collect(),
            calls: outcome
                .tests
                .iter()
                .map(|test| test.explored.input.earlier.len() + 1)
                .max()
                .filter(|calls| *calls > 1),
            seconds: outcome.elapsed.as_secs_f64(),
            cpu_seconds: outcome.processor_time.total().as_secs_f64(),
            effort: outcome.effort.as_secs_f64(),
            criteria: outcome.ledger.as_ref().map_or_else(Vec::new, counts),
            mutants: outcome.kills.as_ref().and_then(|kills| kills.as_ref().ok()).map(|kills| Mutants {
                all: kills.mutants.len(),
                killed: kills.killed(),
                equivalent: asked(kills, Kills::equivalent),
                up_to: asked(kills, Kills::up_to),
                undefined: asked(kills, Kills::undefined),
                unknown: asked(kills, Kills::unknown),
                not_reached: kills.not_reached(),
            }),
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
            paths_of_graph: None,
            infeasible_paths: None,
            refuted_prefixes: 0,
            open_prefixes: 0,
            replayed: 0,
            diverged: 0,
            findings: 0,
            causes: 0,
            families: Vec::new(),
            stop: "error",
            limits: Vec::new(),
            calls: None,
            seconds: 0.0,
            cpu_seconds: 0.0,
            effort: 0.0,
            criteria: Vec::new(),
            mutants: None,
            error: Some(error.to_string()),
        }
    }
}

/// A number of mutants, where it was asked what is known of those that survive.
fn asked(kills: &Kills, count: fn(&Kills) -> usize) -> Option<usize> {
    (!kills.settled.is_empty()).then(|| count(kills))
}
