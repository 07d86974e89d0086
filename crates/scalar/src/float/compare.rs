//! Comparisons, minimum and maximum.

use super::{hardware, quiet};
use crate::format::Format;

/// IEEE equality: false on NaN, true on zeros of different sign.
#[inline]
pub fn eq(format: Format, a: u128, b: u128) -> bool {
    hardware::compare(format, a, b, f32::eq, f64::eq)
        .unwrap_or_else(|| !unordered(format, a, b) && place(format, a) == place(format, b))
}

/// IEEE less: false on NaN.
#[inline]
pub fn lt(format: Format, a: u128, b: u128) -> bool {
    hardware::compare(format, a, b, f32::lt, f64::lt)
        .unwrap_or_else(|| !unordered(format, a, b) && place(format, a) < place(format, b))
}

/// IEEE less or equal: false on NaN.
#[inline]
pub fn le(format: Format, a: u128, b: u128) -> bool {
    hardware::compare(format, a, b, f32::le, f64::le)
        .unwrap_or_else(|| !unordered(format, a, b) && place(format, a) <= place(format, b))
}

/// C `fmin`: the other operand when one is NaN, the first made quiet when both are; `-0` is less than `+0`.
#[inline]
pub fn min(format: Format, a: u128, b: u128) -> u128 {
    choose(format, a, b, format.ordered(a) <= format.ordered(b))
}

/// C `fmax`: the other operand when one is NaN, the first made quiet when both are; `-0` is less than `+0`.
#[inline]
pub fn max(format: Format, a: u128, b: u128) -> u128 {
    choose(format, a, b, format.ordered(a) >= format.ordered(b))
}

#[inline]
fn choose(format: Format, a: u128, b: u128, first: bool) -> u128 {
    match (format.is_nan(a), format.is_nan(b)) {
        (true, true) => quiet(format, a),
        (true, false) => b,
        (false, true) => a,
        (false, false) => {
            if first {
                a
            } else {
                b
            }
        }
    }
}

fn unordered(format: Format, a: u128, b: u128) -> bool {
    format.is_nan(a) || format.is_nan(b)
}

/// The place in the order of numbers, where both zeros are at the same place.
fn place(format: Format, a: u128) -> i128 {
    if format.is_zero(a) { 0 } else { format.ordered(a) }
}
