//! Labels: predicates over the values at a point of the program.
//!
//! A label is covered by a run in which its predicate holds just after the instruction it belongs to. Predicates are
//! built from the operators of `scalar` over operands of the instruction, so whoever can run an instruction can evaluate
//! a label.

use clew_ir::{BlockId, Expr, FunctionId, Span};

/// Position of a [`Label`] among all of a ledger.
pub type LabelId = usize;

/// A place in a function: an instruction of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// The function.
    pub function: FunctionId,
    /// The block.
    pub block: BlockId,
    /// The instruction.
    pub index: u32,
}

/// A predicate at a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The instruction after which the predicate is evaluated.
    pub at: Point,
    /// What must hold: a truth value.
    pub holds: Expr,
    /// The expression it is about.
    pub span: Span,
    /// What it means, for people.
    pub what: String,
}
