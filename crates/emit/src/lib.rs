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
pub mod joined;
mod kept;
mod list;
mod mask;
mod names;
mod pointer;
pub mod project;
pub mod stored;
pub mod verify;
mod wrap;

use clew_execute::{Input, Observation};
use clew_ir::{FunctionId, GlobalId, Program, UnitId};
use clew_session::ctext::{identifier, literal, spell};
use clew_session::output::MARK;
pub use framework::Framework;

/// The executed tests of functions of one source file: they share a test program.
#[derive(Clone, Copy, Debug)]
pub struct Suite<'a> {
    /// The program under test.
    pub program: &'a Program,
    /// The source file.
    pub unit: UnitId,
    /// Its path, as test files include it.
    pub source: &'a str,
    /// The functions under test.
    pub subjects: &'a [Subject<'a>],
    /// Whether tests say in which order functions without a body are called.
    pub call_order: bool,
}

/// The executed tests of one function.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The function under test.
    pub function: FunctionId,
    /// The globals of which the observations hold the bytes, in their order.
    pub observed: &'a [GlobalId],
    /// The tests.
    pub tests: &'a [Test],
}

impl<'a> Suite<'a> {
    /// The tests of all functions.
    fn tests(&self) -> impl Iterator<Item = &'a Test> + use<'a> {
        self.subjects.iter().flat_map(|subject| subject.tests)
    }
}

/// One executed test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// What it is called.
    pub name: String,
    /// What is said above it, a line each.
    pub lines: Vec<String>,
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

#[cfg(test)]
mod tests;
