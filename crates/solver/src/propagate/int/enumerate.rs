//! All combinations of short lists: domain consistency by trying.

use crate::domain::Conflict;
use crate::domain::int::{IntDomain, LISTED};

/// At most this many pairs are tried.
const PAIRS: u128 = 64;

/// Are there few enough pairs to try them all?
#[inline]
pub(super) fn few(a: &IntDomain, b: &IntDomain) -> bool {
    a.is_listed() && b.is_listed() && a.count() * b.count() <= PAIRS
}

/// Narrows by trying all pairs. The operands are [`few`].
pub(super) fn binary(
    result: &mut IntDomain,
    a: &mut IntDomain,
    b: &mut IntDomain,
    op: impl Fn(u8, u128, u128) -> u128,
) -> Result<(), Conflict> {
    if let (Some(x), Some(y)) = (a.value(), b.value()) {
        return result.fix(op(a.width(), x, y));
    }
    let mut found = [0; PAIRS as usize];
    let (mut count, mut kept_a, mut kept_b) = (0, 0, 0);
    for (at, x) in a.listed_values() {
        for (bt, y) in b.listed_values() {
            let value = op(a.width(), x, y);
            if result.contains(value) {
                found[count] = value;
                count += 1;
                kept_a |= 1 << at;
                kept_b |= 1 << bt;
            }
        }
    }
    a.retain(kept_a)?;
    b.retain(kept_b)?;
    result.narrow(&IntDomain::from_values(result.width(), &mut found[..count]))
}

/// Narrows by trying all values of a listed operand.
pub(super) fn unary(result: &mut IntDomain, a: &mut IntDomain, op: impl Fn(u8, u128) -> u128) -> Result<(), Conflict> {
    let mut found = [0; LISTED as usize];
    let (mut count, mut kept) = (0, 0);
    for (at, x) in a.listed_values() {
        let value = op(a.width(), x);
        if result.contains(value) {
            found[count] = value;
            count += 1;
            kept |= 1 << at;
        }
    }
    a.retain(kept)?;
    result.narrow(&IntDomain::from_values(result.width(), &mut found[..count]))
}
