//! What must hold of an input, and what of it is looked at again and again.

use std::collections::BTreeMap;
use std::fmt;

use clew_ir::contract::{Clause, Predicate};
use clew_ir::{FunctionId, Span};
use clew_solver::term::TermId;

use crate::ending::Limit;
use crate::scope::Scope;
use crate::step::entry::{Entered, Entry, Shared};

/// What must hold of an input, beyond the function's own contract.
#[derive(Clone, Debug, Default)]
pub struct Precondition {
    /// Further clauses, such as domains given as options.
    pub clauses: Vec<Clause>,
    /// A function of the program that takes the same parameters and returns 0 for inputs that are not allowed.
    pub function: Option<FunctionId>,
}

/// Why a precondition cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable {
    /// What is the matter.
    pub reason: String,
    /// The clause; [`Span::NONE`] if it is the conjunction of all.
    pub span: Span,
    /// The limit that was met before it was evaluated: nothing is wrong with it then.
    pub limit: Option<Limit>,
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Unusable {}

/// What the precondition of the function under test says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Required {
    pub(crate) universals: Universals,
    /// The clauses that made terms part of the condition.
    pub(crate) origins: BTreeMap<TermId, Span>,
    /// How the function is entered, where that can be done anew with parameters that lead into one object.
    pub(crate) entry: Option<Entry>,
    /// The ways in which that was done, if inputs allow them: which parameter leads where.
    pub(crate) entered: BTreeMap<(u32, Shared, u128), Entered>,
}

/// The parts of the precondition that are looked at again and again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Universals {
    /// Names of the parameters.
    pub(crate) scope: Scope,
    /// Universally quantified clauses and where they are written.
    pub(crate) predicates: Vec<(Predicate, Span)>,
}
