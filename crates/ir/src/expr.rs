//! Expressions over the operands of instructions: predicates at a point of a function.
//!
//! Whoever can run an instruction can evaluate one: the leaves are operands, the nodes operators of `scalar`. They are
//! part of no function; criteria state them about functions.

use crate::inst::Operand;
use clew_scalar::{BinaryOp, Conversion, UnaryOp};

/// An expression over the values at a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// An operand.
    Operand(Operand),
    /// `op a`
    Unary(UnaryOp, Box<Expr>),
    /// `a op b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `conversion a`
    Convert(Conversion, Box<Expr>),
}

impl Expr {
    /// `op a`
    pub fn unary(op: UnaryOp, a: Expr) -> Expr {
        Expr::Unary(op, Box::new(a))
    }

    /// `a op b`
    pub fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
        Expr::Binary(op, Box::new(a), Box::new(b))
    }

    /// `conversion a`
    pub fn convert(op: Conversion, a: Expr) -> Expr {
        Expr::Convert(op, Box::new(a))
    }
}

impl From<Operand> for Expr {
    fn from(operand: Operand) -> Expr {
        Expr::Operand(operand)
    }
}
