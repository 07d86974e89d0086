//! When an operation of machine integers is the operation of mathematical integers.
//!
//! A sum, difference or product of machine integers may enter a linear system in the unsigned or in the signed reading
//! exactly when, for all values left in the domains, its mathematical result is a number of that reading. These tests are
//! exact for intervals: they look at the extreme values only, which decide for operations monotone in each argument.

use crate::domain::int::IntDomain;

use super::Range;

/// How bits are read as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Signedness {
    /// 0 to 2^w - 1.
    Unsigned,
    /// -2^(w-1) to 2^(w-1) - 1.
    Signed,
}

/// The least and the greatest number of a domain; `None` when an unsigned number exceeds the signed 128 bits.
pub fn range(domain: &IntDomain, reading: Signedness) -> Option<Range> {
    let (min, max) = extremes(domain, reading)?;
    Some(Range::new(min, max))
}

/// Is every sum of the numbers a number of the reading?
pub fn sum_is_exact(a: &IntDomain, b: &IntDomain, reading: Signedness) -> bool {
    within(a, b, reading, |(a_min, a_max), (b_min, b_max)| Some((a_min.checked_add(b_min)?, a_max.checked_add(b_max)?)))
}

/// Is every difference of the numbers a number of the reading?
pub fn difference_is_exact(a: &IntDomain, b: &IntDomain, reading: Signedness) -> bool {
    within(a, b, reading, |(a_min, a_max), (b_min, b_max)| Some((a_min.checked_sub(b_max)?, a_max.checked_sub(b_min)?)))
}

/// Is every product of the numbers a number of the reading?
pub fn product_is_exact(a: &IntDomain, b: &IntDomain, reading: Signedness) -> bool {
    within(a, b, reading, |(a_min, a_max), (b_min, b_max)| {
        let corner = |x: i128, y: i128| x.checked_mul(y);
        let corners = [corner(a_min, b_min)?, corner(a_min, b_max)?, corner(a_max, b_min)?, corner(a_max, b_max)?];
        Some((*corners.iter().min()?, *corners.iter().max()?))
    })
}

/// Do the extreme results lie in the reading?
fn within(
    a: &IntDomain,
    b: &IntDomain,
    reading: Signedness,
    results: impl Fn((i128, i128), (i128, i128)) -> Option<(i128, i128)>,
) -> bool {
    let outcome = || {
        let (min, max) = results(extremes(a, reading)?, extremes(b, reading)?)?;
        let all = extremes(&IntDomain::top(a.width()), reading);
        Some(match (all, reading) {
            (Some((least, greatest)), _) => min >= least && max <= greatest,
            // 128 bits unsigned: only the lower limit can be written.
            (None, _) => min >= 0,
        })
    };
    outcome().unwrap_or(false)
}

fn extremes(domain: &IntDomain, reading: Signedness) -> Option<(i128, i128)> {
    match reading {
        Signedness::Signed => Some((domain.signed_min(), domain.signed_max())),
        Signedness::Unsigned => {
            Some((i128::try_from(domain.unsigned_min()).ok()?, i128::try_from(domain.unsigned_max()).ok()?))
        }
    }
}
