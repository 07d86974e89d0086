//! A linear program in floating point as a system of integers, for the certificate.
//!
//! Each variable is scaled by a power of two and its range rounded outwards to integers; each row is scaled by another,
//! its coefficients are rounded to integers, and what that may change is added to its bound. So every real solution of
//! the program is one of the system, and a refutation of the system, which does not use that its variables are
//! integers, refutes the program.

use crate::linear::approximate::Row;
use crate::linear::certificate::{self, Multipliers};
use crate::linear::{self, System};

/// Bits of the scaled variables.
const RANGE_BITS: i32 = 36;
/// Bits of the scaled coefficients.
const COEFFICIENT_BITS: i32 = 40;
/// Bits of the multipliers.
const MULTIPLIER_BITS: i32 = 30;

/// Whether the rows, taken with about these multipliers, add up to a contradiction within the ranges.
pub(super) fn refutes(ranges: &[(f64, f64)], rows: &[Row], multipliers: &[f64]) -> bool {
    attempt(ranges, rows, multipliers).unwrap_or(false)
}

fn attempt(ranges: &[(f64, f64)], rows: &[Row], multipliers: &[f64]) -> Option<bool> {
    let shifts: Vec<i32> = ranges.iter().map(|&(lo, hi)| RANGE_BITS - exponent(lo.abs().max(hi.abs()))).collect();
    let scaled = |&(lo, hi): &(f64, f64), &shift: &i32| {
        let (min, max) = (ceiling(-lo, shift)?.checked_neg()?, ceiling(hi, shift)?);
        (min.abs().max(max.abs()) <= 2 << RANGE_BITS).then_some(linear::Range::new(min, max))
    };
    let ranges = ranges.iter().zip(&shifts).map(|(range, shift)| scaled(range, shift)).collect::<Option<Vec<_>>>()?;
    let mut system = System::new(&ranges);
    let mut factors = Vec::with_capacity(rows.len());
    for (row, &multiplier) in rows.iter().zip(multipliers) {
        let (row, shift) = scaled_row(row, &shifts)?;
        system.push(row);
        factors.push(times_power(multiplier, -shift)?);
    }
    let greatest = factors.iter().fold(0.0, |greatest: f64, &factor| greatest.max(factor));
    let shift = MULTIPLIER_BITS - exponent(greatest);
    let factors = factors.iter().map(|&factor| integer(times_power(factor, shift)?.round()));
    let multipliers = Multipliers { scale: 1, rows: factors.collect::<Option<Vec<_>>>()? };
    Some(certificate::refutes(&system, &multipliers))
}

/// A row over the scaled variables, and the exponent of its own scale.
fn scaled_row(row: &Row, shifts: &[i32]) -> Option<(linear::Row, i32)> {
    let widest = row.terms.iter().map(|&(variable, c)| exponent(c) - shifts[variable]).max().unwrap_or(0);
    let shift = COEFFICIENT_BITS - widest;
    let mut terms = Vec::with_capacity(row.terms.len());
    for &(variable, coefficient) in &row.terms {
        terms.push((variable, integer(times_power(coefficient, shift - shifts[variable])?.round())?));
    }
    // Each coefficient is off by at most one half, its variable at most 2 * 2^RANGE_BITS.
    let rounding = i128::try_from(row.terms.len()).ok()? << RANGE_BITS;
    let bound = ceiling(row.bound, shift)?.checked_add(rounding)?;
    Some((linear::Row::new(&terms, bound), shift))
}

/// The least `e` with `|x| <= 2^e`, about.
fn exponent(x: f64) -> i32 {
    if x == 0.0 { 0 } else { x.abs().log2().ceil().clamp(-1000.0, 1000.0) as i32 }
}

/// `x * 2^power` rounded at most in places that are rounded to integers afterwards; `None` on overflow.
fn times_power(x: f64, power: i32) -> Option<f64> {
    let half = power / 2;
    let result = x * 2.0_f64.powi(half) * 2.0_f64.powi(power - half);
    result.is_finite().then_some(result)
}

/// The least integer not below `x * 2^power`.
fn ceiling(x: f64, power: i32) -> Option<i128> {
    let scaled = times_power(x, power)?;
    if scaled.abs() < f64::MIN_POSITIVE {
        // It may have been rounded to zero.
        return Some(i128::from(x > 0.0));
    }
    integer(scaled.ceil())
}

/// A whole number as an integer, if it is not too large to work with.
fn integer(x: f64) -> Option<i128> {
    (x.abs() < 2.0_f64.powi(100)).then_some(x as i128)
}
