//! What is asked of a solver of integers.
//!
//! Integers have 32 bits, signed, and wrap. This crate does not solve constraints over them: whoever reads specifications
//! with integers passes a solver.

use std::fmt::Debug;

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A variable, by its number.
    Variable(usize),
    /// A constant.
    Constant(i32),
}

/// How two operands relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Their sum is this.
    Sum(Operand),
    /// Their difference is this.
    Difference(Operand),
    /// Their product is this.
    Product(Operand),
    /// The left one is less: whether that holds.
    Less(bool),
    /// The left one is less or equal: whether that holds.
    LessEqual(bool),
    /// They differ.
    Differs,
}

/// A relation of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The left operand.
    pub left: Operand,
    /// The right operand.
    pub right: Operand,
    /// How they relate.
    pub relation: Relation,
}

/// What a solver says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solved {
    /// A value for each variable.
    Sat(Vec<i32>),
    /// There are none, for certain.
    Unsat,
    /// Not decided.
    Unknown,
}

/// A solver of integers.
pub trait Integers: Debug {
    /// Decides constraints over so many variables.
    fn solve(&self, variables: usize, constraints: &[Constraint]) -> Solved;
}
