//! The machine's own binary32 and binary64, where they give the same bits as the generic path.
//!
//! Only rounding to nearest even, the mode Rust programs run in. A NaN result is refused: Rust does not say which NaN
//! an operation gives, so those cases are left to the generic path.

use crate::format::Format;
use crate::op::Rounding;

#[inline]
fn single(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

#[inline]
fn double(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}

/// The bits of a result that is not NaN.
#[inline]
pub(super) fn single_bits(number: f32) -> Option<u128> {
    (!number.is_nan()).then(|| u128::from(number.to_bits()))
}

/// The bits of a result that is not NaN.
#[inline]
pub(super) fn double_bits(number: f64) -> Option<u128> {
    (!number.is_nan()).then(|| u128::from(number.to_bits()))
}

/// The result of an operation on two operands, if the machine is known to give it.
#[inline]
pub(super) fn binary(
    format: Format,
    rounding: Rounding,
    a: u128,
    b: u128,
    on_single: impl FnOnce(f32, f32) -> f32,
    on_double: impl FnOnce(f64, f64) -> f64,
) -> Option<u128> {
    match (format, rounding) {
        (Format::DOUBLE, Rounding::NearestEven) => double_bits(on_double(double(a), double(b))),
        (Format::SINGLE, Rounding::NearestEven) => single_bits(on_single(single(a), single(b))),
        _ => None,
    }
}

/// The result of an operation on one operand, if the machine is known to give it.
#[inline]
pub(super) fn unary(
    format: Format,
    rounding: Rounding,
    a: u128,
    on_single: impl FnOnce(f32) -> f32,
    on_double: impl FnOnce(f64) -> f64,
) -> Option<u128> {
    binary(format, rounding, a, a, |a, _| on_single(a), |a, _| on_double(a))
}

/// The result of a comparison, which the machine gives for every operand.
#[inline]
pub(super) fn compare(
    format: Format,
    a: u128,
    b: u128,
    on_single: impl FnOnce(&f32, &f32) -> bool,
    on_double: impl FnOnce(&f64, &f64) -> bool,
) -> Option<bool> {
    match format {
        Format::DOUBLE => Some(on_double(&double(a), &double(b))),
        Format::SINGLE => Some(on_single(&single(a), &single(b))),
        _ => None,
    }
}

/// Conversion between the two formats.
#[inline]
pub(super) fn convert(from: Format, to: Format, rounding: Rounding, a: u128) -> Option<u128> {
    match (from, to, rounding) {
        (Format::SINGLE, Format::DOUBLE, _) => double_bits(f64::from(single(a))),
        (Format::DOUBLE, Format::SINGLE, Rounding::NearestEven) => single_bits(double(a) as f32),
        _ => None,
    }
}

/// Conversion of a signed integer.
#[inline]
pub(super) fn from_signed(format: Format, rounding: Rounding, number: i64) -> Option<u128> {
    match (format, rounding) {
        (Format::DOUBLE, Rounding::NearestEven) => Some(u128::from((number as f64).to_bits())),
        (Format::SINGLE, Rounding::NearestEven) => Some(u128::from((number as f32).to_bits())),
        _ => None,
    }
}

/// Conversion to an integer toward zero, of a number known to fit with room to spare.
#[inline]
pub(super) fn to_integer(format: Format, rounding: Rounding, a: u128) -> Option<i64> {
    let number = match (format, rounding) {
        (Format::DOUBLE, Rounding::Zero) => double(a),
        (Format::SINGLE, Rounding::Zero) => f64::from(single(a)),
        _ => return None,
    };
    const LIMIT: f64 = (1_u64 << 62) as f64;
    (number.abs() < LIMIT).then_some(number as i64)
}
