//! C `fmod` and IEEE remainder, both exact.
//!
//! With both significands as integers, `a = m * 2^(i+d)` and `b = n * 2^i`, the remainder of the magnitudes is
//! `(m * 2^d mod n) * 2^i`, computed by shifting up and reducing in chunks as large as the word allows.

use super::propagate;
use super::unpacked::{Finite, Unpacked};
use crate::format::Format;
use crate::op::Rounding;

/// C `fmod`: `a - n * b` for the integer `n` nearest to `a / b` toward zero; zero results have the sign of `a`.
pub fn modulo(format: Format, a: u128, b: u128) -> u128 {
    let (dividend, divisor) = match operands(format, a, b) {
        Ok(operands) => operands,
        Err(result) => return result,
    };
    if dividend.exponent < divisor.exponent {
        return a;
    }
    let division = divide(dividend, divisor);
    division.pack(format, dividend.negative, division.remainder)
}

/// IEEE remainder: `a - n * b` for the integer `n` nearest to `a / b`, the even one of two; zero results have the sign
/// of `a`.
pub fn remainder(format: Format, a: u128, b: u128) -> u128 {
    let (dividend, divisor) = match operands(format, a, b) {
        Ok(operands) => operands,
        Err(result) => return result,
    };
    if dividend.exponent < divisor.exponent - 1 {
        return a;
    }
    let division = divide(dividend, divisor);
    let complement = division.divisor - division.remainder;
    if division.remainder > complement || division.remainder == complement && division.odd {
        division.pack(format, !dividend.negative, complement)
    } else {
        division.pack(format, dividend.negative, division.remainder)
    }
}

/// Two finite operands other than zero, or the result that other operands have.
fn operands(format: Format, a: u128, b: u128) -> Result<(Finite, Finite), u128> {
    if let Some(nan) = propagate(format, &[a, b]) {
        return Err(nan);
    }
    match (Unpacked::new(format, a), Unpacked::new(format, b)) {
        (Unpacked::Finite(dividend), Unpacked::Finite(divisor)) => Ok((dividend, divisor)),
        (Unpacked::Infinite(_), _) | (_, Unpacked::Zero(_)) => Err(format.default_nan()),
        _ => Err(a),
    }
}

/// A division of magnitudes with remainder.
struct Division {
    /// Is the quotient odd?
    odd: bool,
    /// The remainder, less than the divisor, in the same unit.
    remainder: u128,
    /// The divisor.
    divisor: u128,
    /// The unit of both is `2^(exponent - 127)`.
    exponent: i32,
}

impl Division {
    fn pack(&self, format: Format, negative: bool, significand: u128) -> u128 {
        if significand == 0 {
            return format.zero(negative);
        }
        Finite::normalized(negative, self.exponent, significand).round(format, Rounding::NearestEven)
    }
}

/// Divides magnitudes of which the first has an exponent of at least the other's less one.
fn divide(a: Finite, b: Finite) -> Division {
    // At least 15: how far a remainder can be shifted up once the common zeros are gone.
    let chunk = (a.significand | b.significand).trailing_zeros();
    let (dividend, mut divisor) = (a.significand >> chunk, b.significand >> chunk);
    let exponent = a.exponent.min(b.exponent) + chunk as i32;
    if a.exponent < b.exponent {
        divisor <<= 1;
    }
    let mut quotient = dividend / divisor;
    let mut remainder = dividend % divisor;
    let mut missing = (a.exponent - b.exponent).max(0) as u32;
    while missing > 0 {
        let step = missing.min(chunk);
        quotient = (remainder << step) / divisor;
        remainder = (remainder << step) % divisor;
        missing -= step;
    }
    Division { odd: quotient & 1 == 1, remainder, divisor, exponent }
}
