//! Tests as files.
//!
//! A [`Suite`] is what was executed: inputs with what was observed. [`file::texts`] makes a C file of it for a
//! [`Framework`], [`project`] what builds and runs such files, [`directory`] writes all of it.

mod assertion;
pub mod conditions;
pub mod directory;
mod expectation;
mod express;
pub mod file;
mod findings;
pub mod framework;
mod initial;
mod mask;
mod names;
mod pointer;
pub mod project;
pub mod verify;
mod words;

use clew_execute::{Input, Observation};
use clew_ir::{FunctionId, GlobalId, Program};
use clew_session::ctext::{identifier, literal, spell};
use clew_session::output::MARK;
pub use framework::Framework;

/// The executed tests of one function.
#[derive(Clone, Copy, Debug)]
pub struct Suite<'a> {
    /// The program under test.
    pub program: &'a Program,
    /// The function under test.
    pub function: FunctionId,
    /// Path of the function's source file, as the test file includes it.
    pub source: &'a str,
    /// The globals of which the observations hold the bytes, in their order.
    pub observed: &'a [GlobalId],
    /// The tests.
    pub tests: &'a [Test],
}

/// One executed test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// What it is for, a line each; the path it takes is shown where there is nothing else to say.
    pub purpose: Vec<String>,
    /// What C leaves undefined on the way, if anything.
    pub undefined: Option<String>,
    /// Whether what it does depends on where its objects lie.
    pub addressed: bool,
    /// Whether its execution did not go as predicted.
    pub diverged: bool,
    /// What the function is given.
    pub input: Input,
    /// What was observed.
    pub observation: Observation,
}

/// The names of the tests of a suite, as test files have them.
pub fn names_of(suite: &Suite<'_>) -> Vec<String> {
    suite.tests.iter().enumerate().map(|(index, test)| words::name(suite, index + 1, test)).collect()
}

#[cfg(test)]
mod tests;
