//! Propagators of the float operators.
//!
//! Each narrows the domains of operands and result soundly in all directions and answers `Conflict` when nothing is
//! left (the domains are then meaningless). The arithmetic ones share `monotone`; what each adds is where the operator
//! is cut into monotone pieces. NaN is one value; `-0` and `+0` are two.

mod add;
mod arithmetic;
mod bits;
mod classify;
mod compare;
mod convert;
mod div;
mod extremum;
mod fma;
mod from_int;
mod monotone;
mod mul;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod oracle_int;
mod ordinal;
mod remainder;
mod round;
mod select;
mod sign;
mod sqrt;
mod sub;
mod to_int;

pub use add::add;
pub(crate) use bits::{bits_to_float, float_to_bits};
pub use classify::classify;
pub(crate) use compare::identical;
pub use compare::{eq, le, lt};
pub use convert::float_to_float;
pub use div::div;
pub use extremum::{max, min};
pub(crate) use fma::fma;
pub use from_int::{signed_to_float, unsigned_to_float};
pub use mul::{mul, square};
pub(crate) use remainder::{fmod, rem};
pub use round::round_to_integral;
pub use select::select;
pub use sign::{abs, neg};
pub use sqrt::sqrt;
pub use sub::sub;
pub use to_int::{float_to_signed, float_to_unsigned};
