//! Machine integers and IEEE floats: ONE definition of every operator.
//!
//! A [`Value`] is a [`Type`] and its bits in a `u128`; bits above the type's width are zero. Every operator of the
//! workspace (IR instructions, solver terms, constant folding, the interpreter) is named by the enums of [`op`] and
//! computed by [`eval`]; nothing else in the workspace defines arithmetic.
//!
//! All operators are total, with the meaning SMT-LIB gives them: `x / 0` is all ones (unsigned), `x % 0` is `x`, a
//! shift by the width or more gives zero (or the sign). What C leaves undefined is a check in the IR, not a matter of
//! this crate.

pub mod op;
mod value;

pub use op::{BinaryOp, Conversion, Rounding, TernaryOp, UnaryOp};
pub use value::{Format, Type, Value};
