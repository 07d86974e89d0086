//! What is different between two suites: tests that appeared, that vanished, and that expect something else.
//!
//! A test is known by its input: its function, and everything that it is called with, byte by byte.

use super::value::Typed;
use super::{Suite, TestCase, ending, value};
use crate::function::Natives;
use crate::globals::observed_globals;
use crate::hash::sha256;
use clew_execute::native::BuildError;
use clew_execute::{Input, Observation};
use clew_ir::{FunctionId, GlobalId, Program};
use serde::Serialize;
use std::collections::BTreeMap;

/// What a test expects, or what an execution showed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Expectation {
    /// How it ends.
    pub ending: String,
    /// What is returned.
    pub result: Option<serde_json::Value>,
    /// Objects and globals afterwards.
    pub outputs: Vec<Typed>,
}

/// What became of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Only the new suite has it.
    Appeared,
    /// Only the old suite has it.
    Vanished,
    /// It expects something else.
    Changed,
}

/// A test that is different.
#[derive(Clone, Debug, Serialize)]
pub struct Change {
    /// The function under test.
    pub function: String,
    /// A short name of the input, which stays as long as the input does.
    pub input: String,
    /// What became of it.
    pub kind: Kind,
    /// The input.
    pub inputs: Vec<Typed>,
    /// What was expected before.
    pub old: Option<Expectation>,
    /// What is expected now.
    pub new: Option<Expectation>,
}

/// Two versions of the tests.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Changes {
    /// Tests that expect the same.
    pub same: usize,
    /// The others, those of one function together.
    pub changes: Vec<Change>,
}

impl Changes {
    /// How many tests of a kind there are.
    pub fn count(&self, kind: Kind) -> usize {
        self.changes.iter().filter(|change| change.kind == kind).count()
    }

    /// Notes what became of a test.
    pub fn note(&mut self, (function, test): (&str, &TestCase), old: Option<Expectation>, new: Option<Expectation>) {
        let kind = match (&old, &new) {
            (None, _) => Kind::Appeared,
            (_, None) => Kind::Vanished,
            (Some(old), Some(new)) if old != new => Kind::Changed,
            _ => {
                self.same += 1;
                return;
            }
        };
        let input = short(test);
        let function = function.to_owned();
        self.changes.push(Change { function, input, kind, inputs: test.inputs.clone(), old, new });
    }
}

impl Expectation {
    /// What a test of a suite expects.
    pub fn of(test: &TestCase) -> Expectation {
        Expectation { ending: test.ending.clone(), result: test.result.clone(), outputs: test.outputs.clone() }
    }

    /// What an execution showed.
    fn shown(program: &Program, function: FunctionId, seen: (&Input, &Observation), observed: &[GlobalId]) -> Self {
        let (input, observation) = seen;
        Expectation {
            ending: ending(observation),
            result: value::result(program, function, observation),
            outputs: value::outputs(program, input, observation, observed),
        }
    }
}

/// A short name of the input of a test.
fn short(test: &TestCase) -> String {
    sha256(key(test).as_bytes()).chars().take(8).collect()
}

fn key(test: &TestCase) -> String {
    serde_json::to_string(&test.raw).unwrap_or_default()
}

/// The differences between two suites.
pub fn between(old: &Suite, new: &Suite) -> Changes {
    let mut changes = Changes::default();
    let mut theirs: BTreeMap<(&str, String), &TestCase> = BTreeMap::new();
    for function in &new.functions {
        theirs.extend(function.tests.iter().map(|test| ((function.name.as_str(), key(test)), test)));
    }
    for function in &old.functions {
        for test in &function.tests {
            let other = theirs.remove(&(function.name.as_str(), key(test)));
            changes.note((&function.name, test), Some(Expectation::of(test)), other.map(Expectation::of));
        }
    }
    let mut rest: Vec<(&str, &TestCase)> = theirs.into_iter().map(|((function, _), test)| (function, test)).collect();
    rest.sort_by_key(|(function, test)| (*function, test.id));
    rest.into_iter().for_each(|(function, test)| changes.note((function, test), None, Some(Expectation::of(test))));
    changes
}

/// What inputs do in one version of a program; `None` for those that cannot be run there.
///
/// # Errors
/// When it cannot be built.
pub fn replayed<'p>(
    program: &'p Program,
    natives: &Natives<'p>,
    function: FunctionId,
    inputs: &[Option<Input>],
) -> Result<Vec<Option<Expectation>>, BuildError> {
    let observed = observed_globals(program, function);
    let known: Vec<Input> = inputs.iter().flatten().cloned().collect();
    let mut results = natives.of(function, &observed)?.run_batch(&known).into_iter();
    let shown = inputs.iter().map(|input| {
        let input = input.as_ref()?;
        let observation = results.next()?.ok()?;
        Some(Expectation::shown(program, function, (input, &observation), &observed))
    });
    Ok(shown.collect())
}
