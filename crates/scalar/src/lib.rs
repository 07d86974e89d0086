//! Machine integers and IEEE floats: ONE definition of every operator.
//!
//! A [`Value`] is a [`Type`] and its bits in a `u128`; bits above the type's width are zero. Every operator of the
//! workspace (IR instructions, solver terms, constant folding, the interpreter) is named by the enums of [`op`] and
//! computed by [`eval`]; nothing else in the workspace defines arithmetic. Below `eval` lie two raw layers on plain
//! bits, for callers that know the type already: [`int`] (generic over `u64` and `u128` words) and [`float`].
//!
//! All operators are total, with the meaning SMT-LIB gives them: `x / 0` is all ones (unsigned), `x % 0` is `x`, a
//! shift by the width or more gives zero (or the sign). What C leaves undefined is a check in the IR; the predicates
//! such checks need ([`int::signed_add_overflows`], [`float::float_to_int_in_range`], ...) are defined here too.
//!
//! ```
//! use clew_scalar::{BinaryOp, Rounding, Value, eval};
//! let sum = eval::binary(BinaryOp::Add, Value::int(8, 200), Value::int(8, 100));
//! assert_eq!(sum, Value::int(8, 44));
//! let third = eval::binary(BinaryOp::FloatDiv(Rounding::Up), Value::from_f64(1.0), Value::from_f64(3.0));
//! assert_eq!(third.as_f64(), (1.0_f64 / 3.0).next_up());
//! ```

pub mod eval;
pub mod float;
mod format;
pub mod int;
mod natural;
pub mod op;
mod value;
mod wide;

pub use format::Format;
pub use op::{BinaryOp, Conversion, Rounding, TernaryOp, UnaryOp};
pub use value::{Type, Value};
