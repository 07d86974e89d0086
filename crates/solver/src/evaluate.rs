//! The value of a term under a model.

use clew_scalar::{Format, Type, Value};

/// The value with any NaN replaced by the canonical one: sign clear, exponent all ones, only the top fraction bit set.
pub fn canonical(value: Value) -> Value {
    match value.ty {
        Type::Float(format) if is_nan(format, value.bits) => Value { bits: canonical_nan(format), ..value },
        _ => value,
    }
}

fn is_nan(format: Format, bits: u128) -> bool {
    let stored = format.significand - 1;
    let fraction = bits & crate::term::mask(stored);
    let exponent = (bits >> stored) & crate::term::mask(format.exponent);
    exponent == crate::term::mask(format.exponent) && fraction != 0
}

fn canonical_nan(format: Format) -> u128 {
    let stored = format.significand - 1;
    (crate::term::mask(format.exponent) << stored) | (1 << (stored - 1))
}
