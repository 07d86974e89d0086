//! What a predicate is read in.

use crate::ending::PathEnd;
use crate::memory::ObjectId;
use crate::stepped::Step;
use crate::value::{Scalar, Val};

/// What a predicate is read in.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// The object that holds each parameter on entry.
    pub params: Vec<Option<ObjectId>>,
    /// What the function returned.
    pub result: Option<Val>,
    /// Values of logic variables, by number.
    pub bound: Vec<(u32, Scalar)>,
    /// Where the predicate stands.
    pub when: When,
}

/// Where a predicate stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum When {
    /// At the call of the function under test.
    #[default]
    Entry,
    /// Later in the function under test.
    Later,
    /// In a function it calls, whose own beginning is not known any more.
    InCallee,
}

impl Scope {
    /// The scope with one more variable.
    pub fn with(&self, number: u32, value: Scalar) -> Scope {
        let mut scope = self.clone();
        scope.bound.push((number, value));
        scope
    }
}

/// A piece of a contract that cannot be read.
pub(crate) fn unsupported<T>(what: &str) -> Step<T> {
    Err(PathEnd::Unsupported { what: format!("{what} in a contract"), span: clew_ir::Span::NONE })
}
