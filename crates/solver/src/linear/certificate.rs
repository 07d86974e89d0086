//! The checker of linear bounds: what given multipliers of the rows prove.
//!
//! Every solution satisfies the sum of the rows, each taken with a multiplier that is not negative. What the sum leaves
//! over of the terms in question (times a positive scale) is a linear form, bounded by the ranges of its variables. So
//! *any* multipliers prove some bound (Neumaier and Shcherbina 2004), so their source need not be trusted. All
//! arithmetic is checked; overflow proves nothing.

use super::{System, Terms};

/// Bits of coarse multipliers.
const COARSE: u32 = 30;

/// Non-negative integer multipliers of the rows of a system, over a common positive scale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Multipliers {
    /// What the terms are multiplied by; positive.
    pub scale: i128,
    /// One factor per row; none negative.
    pub rows: Vec<i128>,
}

impl Multipliers {
    /// About the same multipliers in at most `COARSE` bits, for which the checks overflow less easily.
    pub(crate) fn coarser(&self) -> Multipliers {
        let bits = |number: i128| 128 - number.leading_zeros();
        let widest = self.rows.iter().copied().chain([self.scale]).map(bits).max().unwrap_or(0);
        let shift = widest.saturating_sub(COARSE);
        Multipliers { scale: (self.scale >> shift).max(1), rows: self.rows.iter().map(|row| row >> shift).collect() }
    }
}

/// The integer upper bound of the terms that the multipliers prove, if any.
pub fn bound(system: &System, terms: &Terms, multipliers: &Multipliers) -> Option<i128> {
    let total = combination(system, terms, multipliers)?;
    Some(total.div_euclid(multipliers.scale))
}

/// Do the multipliers prove that the system has no solution, by a negative upper bound of zero?
pub(crate) fn refutes(system: &System, multipliers: &Multipliers) -> bool {
    combination(system, &Terms::default(), multipliers).is_some_and(|total| total < 0)
}

/// An upper bound of `scale * terms`.
fn combination(system: &System, terms: &Terms, multipliers: &Multipliers) -> Option<i128> {
    let sane = multipliers.scale > 0 && multipliers.rows.iter().all(|&factor| factor >= 0);
    if !sane || multipliers.rows.len() != system.rows.len() {
        return None;
    }
    let mut rest = vec![0i128; system.ranges.len()];
    for (variable, coefficient) in terms.iter() {
        rest[variable] = coefficient.checked_mul(multipliers.scale)?;
    }
    let mut total = 0i128;
    for (row, &factor) in system.rows.iter().zip(&multipliers.rows) {
        total = total.checked_add(row.bound.checked_mul(factor)?)?;
        for (variable, coefficient) in row.terms.iter() {
            rest[variable] = rest[variable].checked_sub(coefficient.checked_mul(factor)?)?;
        }
    }
    for (range, coefficient) in system.ranges.iter().zip(rest) {
        total = total.checked_add(range.greatest_multiple(coefficient)?)?;
    }
    Some(total)
}
