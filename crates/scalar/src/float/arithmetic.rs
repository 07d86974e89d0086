//! Sum, product, quotient, square root and fused multiply-add, each rounded once.
//!
//! Sums align the smaller operand with a sticky bit: when bits are lost the exponents differ by two or more, so at most
//! one leading bit cancels and the sticky bit stays far below the rounding position (Muller et al., Handbook of
//! Floating-Point Arithmetic, 2nd ed., ch. 7). Quotients are long division by chunks, square roots the restoring digit
//! recurrence on pairs of bits.

use super::unpacked::{Finite, Unpacked};
use super::{hardware, propagate};
use crate::format::Format;
use crate::op::Rounding;
use crate::wide::{U256, shift_right_sticky};

/// Sum.
#[inline]
pub fn add(format: Format, rounding: Rounding, a: u128, b: u128) -> u128 {
    hardware::binary(format, rounding, a, b, |a, b| a + b, |a, b| a + b)
        .unwrap_or_else(|| soft_add(format, rounding, a, b))
}

/// Difference.
#[inline]
pub fn sub(format: Format, rounding: Rounding, a: u128, b: u128) -> u128 {
    hardware::binary(format, rounding, a, b, |a, b| a - b, |a, b| a - b).unwrap_or_else(|| {
        // A NaN subtrahend keeps its sign.
        propagate(format, &[a, b]).unwrap_or_else(|| soft_add(format, rounding, a, b ^ format.sign_mask()))
    })
}

/// Product.
#[inline]
pub fn mul(format: Format, rounding: Rounding, a: u128, b: u128) -> u128 {
    hardware::binary(format, rounding, a, b, |a, b| a * b, |a, b| a * b)
        .unwrap_or_else(|| soft_mul(format, rounding, a, b))
}

/// Quotient.
#[inline]
pub fn div(format: Format, rounding: Rounding, a: u128, b: u128) -> u128 {
    hardware::binary(format, rounding, a, b, |a, b| a / b, |a, b| a / b)
        .unwrap_or_else(|| soft_div(format, rounding, a, b))
}

/// Square root.
#[inline]
pub fn sqrt(format: Format, rounding: Rounding, a: u128) -> u128 {
    hardware::unary(format, rounding, a, f32::sqrt, f64::sqrt).unwrap_or_else(|| soft_sqrt(format, rounding, a))
}

/// `a * b + c`, rounded once. Of several NaN operands the first is the result, also for `0 * inf + NaN`.
pub fn fma(format: Format, rounding: Rounding, a: u128, b: u128, c: u128) -> u128 {
    if let Some(nan) = propagate(format, &[a, b, c]) {
        return nan;
    }
    let negative = format.sign(a) != format.sign(b);
    match (Unpacked::new(format, a), Unpacked::new(format, b), Unpacked::new(format, c)) {
        (Unpacked::Infinite(_), Unpacked::Zero(_), _) | (Unpacked::Zero(_), Unpacked::Infinite(_), _) => {
            format.default_nan()
        }
        (Unpacked::Infinite(_), _, _) | (_, Unpacked::Infinite(_), _) => {
            soft_add(format, rounding, format.infinity(negative), c)
        }
        (Unpacked::Zero(_), _, _) | (_, Unpacked::Zero(_), _) => soft_add(format, rounding, format.zero(negative), c),
        (Unpacked::Finite(a), Unpacked::Finite(b), Unpacked::Finite(c)) => fma_finite(format, rounding, a, b, c),
        (Unpacked::Finite(a), Unpacked::Finite(b), Unpacked::Zero(_)) => product(a, b).round(format, rounding),
        (_, _, Unpacked::Infinite(_) | Unpacked::Nan) | (Unpacked::Nan, _, _) | (_, Unpacked::Nan, _) => c,
    }
}

#[cold]
fn soft_add(format: Format, rounding: Rounding, a: u128, b: u128) -> u128 {
    if let Some(nan) = propagate(format, &[a, b]) {
        return nan;
    }
    match (Unpacked::new(format, a), Unpacked::new(format, b)) {
        (Unpacked::Infinite(x), Unpacked::Infinite(y)) if x != y => format.default_nan(),
        (Unpacked::Infinite(_), _) => a,
        (_, Unpacked::Infinite(_)) => b,
        (Unpacked::Zero(x), Unpacked::Zero(y)) if x != y => exact_zero(format, rounding),
        (_, Unpacked::Zero(_)) => a,
        (Unpacked::Zero(_), _) => b,
        (Unpacked::Finite(a), Unpacked::Finite(b)) => add_finite(format, rounding, a, b),
        (Unpacked::Nan, _) | (_, Unpacked::Nan) => unreachable!("NaN operands were propagated"),
    }
}

/// The zero that a sum of opposite numbers gives.
fn exact_zero(format: Format, rounding: Rounding) -> u128 {
    format.zero(rounding == Rounding::Down)
}

fn add_finite(format: Format, rounding: Rounding, a: Finite, b: Finite) -> u128 {
    let (big, small) = if (a.exponent, a.significand) < (b.exponent, b.significand) { (b, a) } else { (a, b) };
    // One bit of room for the carry; the lowest bits of operands are zero.
    let augend = big.significand >> 1;
    let addend = shift_right_sticky(small.significand >> 1, (big.exponent - small.exponent) as u32);
    let sum = if big.negative == small.negative { augend + addend } else { augend - addend };
    if sum == 0 {
        return exact_zero(format, rounding);
    }
    Finite::normalized(big.negative, big.exponent + 1, sum).round(format, rounding)
}

#[cold]
fn soft_mul(format: Format, rounding: Rounding, a: u128, b: u128) -> u128 {
    if let Some(nan) = propagate(format, &[a, b]) {
        return nan;
    }
    let negative = format.sign(a) != format.sign(b);
    match (Unpacked::new(format, a), Unpacked::new(format, b)) {
        (Unpacked::Finite(a), Unpacked::Finite(b)) => product(a, b).round(format, rounding),
        (Unpacked::Infinite(_), Unpacked::Zero(_)) | (Unpacked::Zero(_), Unpacked::Infinite(_)) => format.default_nan(),
        (Unpacked::Infinite(_), _) | (_, Unpacked::Infinite(_)) => format.infinity(negative),
        _ => format.zero(negative),
    }
}

/// The product with a sticky bit.
fn product(a: Finite, b: Finite) -> Finite {
    let exact = U256::product(a.significand, b.significand);
    let zeros = exact.leading_zeros();
    Finite {
        negative: a.negative != b.negative,
        exponent: a.exponent + b.exponent + 1 - zeros as i32,
        significand: exact.shift_left(zeros).high_sticky(),
    }
}

fn fma_finite(format: Format, rounding: Rounding, a: Finite, b: Finite, c: Finite) -> u128 {
    let exact = U256::product(a.significand, b.significand);
    let zeros = exact.leading_zeros();
    let negative = a.negative != b.negative;
    let exponent = a.exponent + b.exponent + 1 - zeros as i32;
    let term = (exponent, exact.shift_left(zeros), negative);
    let addend = (c.exponent, U256 { high: c.significand, low: 0 }, c.negative);
    let (big, small) = if (term.0, term.1) < (addend.0, addend.1) { (addend, term) } else { (term, addend) };
    // Products have at most 226 bits: one bit of room for the carry costs only zeros.
    let augend = big.1.shift_right_sticky(1);
    let addend = small.1.shift_right_sticky(1).shift_right_sticky((big.0 - small.0) as u32);
    let sum = if big.2 == small.2 { augend.plus(addend) } else { augend.minus(addend) };
    let zeros = sum.leading_zeros();
    if zeros == 256 {
        return exact_zero(format, rounding);
    }
    let significand = sum.shift_left(zeros).high_sticky();
    Finite { negative: big.2, exponent: big.0 + 1 - zeros as i32, significand }.round(format, rounding)
}

#[cold]
fn soft_div(format: Format, rounding: Rounding, a: u128, b: u128) -> u128 {
    if let Some(nan) = propagate(format, &[a, b]) {
        return nan;
    }
    let negative = format.sign(a) != format.sign(b);
    match (Unpacked::new(format, a), Unpacked::new(format, b)) {
        (Unpacked::Finite(a), Unpacked::Finite(b)) => quotient(format, a, b).round(format, rounding),
        (Unpacked::Infinite(_), Unpacked::Infinite(_)) | (Unpacked::Zero(_), Unpacked::Zero(_)) => format.default_nan(),
        (Unpacked::Infinite(_), _) | (_, Unpacked::Zero(_)) => format.infinity(negative),
        _ => format.zero(negative),
    }
}

/// The quotient to two bits more than the format has, and a sticky bit.
fn quotient(format: Format, a: Finite, b: Finite) -> Finite {
    // At least 15: how far a remainder can be shifted up once the common zeros are gone.
    let chunk = (a.significand | b.significand).trailing_zeros();
    let divisor = b.significand >> chunk;
    let mut quotient = (a.significand >> chunk) / divisor;
    let mut remainder = (a.significand >> chunk) % divisor;
    let mut missing = u32::from(format.significand) + 2;
    let mut exponent = a.exponent - b.exponent + 127;
    while missing > 0 {
        let step = missing.min(chunk);
        quotient = (quotient << step) | ((remainder << step) / divisor);
        remainder = (remainder << step) % divisor;
        exponent -= step as i32;
        missing -= step;
    }
    let quotient = quotient << 1 | u128::from(remainder != 0);
    Finite::normalized(a.negative != b.negative, exponent - 1, quotient)
}

#[cold]
fn soft_sqrt(format: Format, rounding: Rounding, a: u128) -> u128 {
    match Unpacked::new(format, a) {
        Unpacked::Nan => super::quiet(format, a),
        Unpacked::Zero(_) | Unpacked::Infinite(false) => a,
        Unpacked::Infinite(true) | Unpacked::Finite(Finite { negative: true, .. }) => format.default_nan(),
        Unpacked::Finite(a) => root(format, a).round(format, rounding),
    }
}

/// The square root to two bits more than the format has, and a sticky bit.
fn root(format: Format, a: Finite) -> Finite {
    // A radicand in [1, 4) with two bits before the point; its root is in [1, 2).
    let mut radicand = if a.exponent & 1 == 0 { a.significand >> 1 } else { a.significand };
    let digits = u32::from(format.significand) + 2;
    let (mut root, mut remainder) = (0_u128, 0_u128);
    for _ in 0..digits {
        remainder = remainder << 2 | radicand >> 126;
        radicand <<= 2;
        let trial = root << 2 | 1;
        root <<= 1;
        if remainder >= trial {
            remainder -= trial;
            root |= 1;
        }
    }
    // Every bit of the radicand was used: it has no more than the format has.
    let root = root << 1 | u128::from(remainder != 0);
    Finite::normalized(false, (a.exponent >> 1) + 127 - digits as i32, root)
}
