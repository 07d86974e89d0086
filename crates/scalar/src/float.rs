//! Float operators on raw bits, for every [`Format`] and every [`Rounding`](crate::Rounding).
//!
//! The generic path unpacks operands into a sign, an exponent and a left-aligned significand, computes exactly (or with
//! a sticky lowest bit that stands for everything lost), and rounds once on packing; it is written for any format with
//! up to 15 exponent bits and 113 significand bits. Where the format is binary32 or binary64 and the rounding is to
//! nearest even, the machine's own arithmetic gives the same bits and is used instead. It needs a target whose `f32`
//! and `f64` are IEEE without excess precision, which is every target with SSE2, and not 32-bit x87.
//!
//! NaNs behave as on x86 SSE: an invalid operation gives [`Format::default_nan`]; a NaN operand (the first, else the
//! second, else the third) is the result, made quiet with its sign and payload kept. Exceptions (flags, traps) do not
//! exist here.

mod arithmetic;
mod compare;
mod convert;
mod decimal;
mod hardware;
mod parse;
mod remainder;
mod text;
mod unpacked;
mod x87;

pub use arithmetic::{add, div, fma, mul, sqrt, sub};
pub use compare::{eq, le, lt, max, min};
pub use convert::{
    convert, float_to_int_in_range, from_signed, from_unsigned, round_to_integral, to_signed, to_unsigned,
};
pub use decimal::{Decimal, Precision, to_decimal};
pub use parse::{parse, parse_prefix};
pub use remainder::{modulo, remainder};
pub use text::{to_exponential, to_fixed, to_general, to_hexadecimal, to_hexadecimal_float};
pub use x87::{from_x87_bytes, to_x87_bytes};

use crate::format::Format;

/// Sign bit flipped, NaN included.
#[inline]
pub fn neg(format: Format, a: u128) -> u128 {
    a ^ format.sign_mask()
}

/// Sign bit cleared, NaN included.
#[inline]
pub fn abs(format: Format, a: u128) -> u128 {
    format.magnitude(a)
}

/// The result of an operation on operands of which the given one is NaN: it, made quiet.
fn quiet(format: Format, nan: u128) -> u128 {
    nan | format.quiet_bit()
}

/// The NaN that an operation on these operands gives, if any of them is one.
fn propagate(format: Format, operands: &[u128]) -> Option<u128> {
    operands.iter().find(|&&bits| format.is_nan(bits)).map(|&nan| quiet(format, nan))
}
