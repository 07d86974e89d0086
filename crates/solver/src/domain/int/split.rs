//! Where to cut a domain: dynamic domain reduction's `GetSplit`, and halving.
//!
//! `GetSplit` (Offutt, Jin and Pan, Software Practice and Experience 1999, Fig. 4) cuts two ranges so that a comparison
//! between them holds on the remaining boxes. The search point follows the printed sequence 1/2, 1/4, 3/4, 1/8, 3/8, ...
//! and not the printed formula (erratum E012). The examples put the split value on either side (E016); here, as in the
//! text around Fig. 4 and 5, a strict comparison leaves it to the right operand, and the others leave it to both.

use super::{Conflict, IntDomain, Interval};

/// An order between two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Left is less than right.
    Less,
    /// Left is less than or equal to right.
    LessEqual,
    /// Left is greater than right.
    Greater,
    /// Left is greater than or equal to right.
    GreaterEqual,
}

/// A range of numbers, both ends included.
type Range = (i128, i128);

/// The `index`-th (from 1) of the points 1/2, 1/4, 3/4, 1/8, 3/8, ... as numerator and binary logarithm of the
/// denominator.
pub fn search_point(index: u32) -> (u64, u32) {
    let exponent = index.ilog2();
    (2 * (index as u64 - (1 << exponent)) + 1, exponent + 1)
}

/// Cuts two overlapping ranges at the `index`-th search point so that the comparison holds for every pair that is
/// left. `None` when a side would be empty, or when the numbers are too large for the arithmetic.
pub fn get_split(comparison: Comparison, left: Range, right: Range, index: u32) -> Option<(i128, Range, Range)> {
    let inside = if left.0 >= right.0 && left.1 <= right.1 {
        left
    } else if left.0 <= right.0 && left.1 >= right.1 {
        right
    } else if left.0 >= right.0 {
        (left.0, right.1)
    } else {
        (right.0, left.1)
    };
    let (numerator, shift) = search_point(index);
    let scaled = inside.1.checked_sub(inside.0)?.checked_mul(i128::from(numerator))? >> shift;
    let split = inside.0.checked_add(scaled)?;
    let (left, right) = match comparison {
        Comparison::Less => ((left.0, left.1.min(split.checked_sub(1)?)), (right.0.max(split), right.1)),
        Comparison::LessEqual => ((left.0, left.1.min(split)), (right.0.max(split), right.1)),
        Comparison::Greater => ((left.0.max(split.checked_add(1)?), left.1), (right.0, right.1.min(split))),
        Comparison::GreaterEqual => ((left.0.max(split), left.1), (right.0, right.1.min(split))),
    };
    (left.0 <= left.1 && right.0 <= right.1).then_some((split, left, right))
}

impl IntDomain {
    /// Two disjoint halves, clockwise, that together hold all values; cut at zero, or between the greatest and the least
    /// signed number, where the interval goes on beyond it, for the propagators know more on either side. `None` when there
    /// is one value (or, see the module, when no value can be found).
    pub fn halves(&self) -> Option<(IntDomain, IntDomain)> {
        let mask = self.mask();
        let interval = self.interval();
        if interval.lo == interval.hi {
            return None;
        }
        let greatest = mask >> 1;
        let middle = if interval.lo > interval.hi {
            mask
        } else if interval.lo <= greatest && greatest < interval.hi {
            greatest
        } else {
            interval.lo + interval.span(mask) / 2
        };
        let part = |lo, hi| -> Result<IntDomain, Conflict> {
            let mut part = *self;
            part.narrow_interval(Interval { lo, hi })?;
            Ok(part)
        };
        match (part(interval.lo, middle), part(middle.wrapping_add(1) & mask, interval.hi)) {
            (Ok(first), Ok(second)) => Some((first, second)),
            (Ok(all), Err(Conflict)) | (Err(Conflict), Ok(all)) => all.halves(),
            (Err(Conflict), Err(Conflict)) => None,
        }
    }
}
