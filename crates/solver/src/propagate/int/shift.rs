//! What the shifts share: one case per possible amount, joined.
//!
//! A fixed amount `k` is bounds consistent through truncation, extension and concatenation. With several possible
//! amounts each is tried on a copy of the domains (constructive disjunction) and amounts that contradict are removed.

use crate::domain::Conflict;
use crate::domain::int::IntDomain;
use crate::policy;

/// Narrows by trying every possible amount. `fixed` contracts result and operand for one amount, where every amount of
/// the width or more is given as the width. `None` when there are too many amounts.
pub(super) fn by_amount(
    result: &mut IntDomain,
    a: &mut IntDomain,
    amount: &mut IntDomain,
    fixed: impl Fn(&mut IntDomain, &mut IntDomain, u8) -> Result<(), Conflict>,
) -> Option<Result<(), Conflict>> {
    let width = result.width();
    if let Some(value) = amount.value() {
        return Some(fixed(result, a, value.min(u128::from(width)) as u8));
    }
    let mut far = *amount;
    let far = u128::from(width) <= amount.mask() && far.narrow_unsigned(u128::from(width), u128::MAX).is_ok();
    let near = || (0..width).filter(|&at| amount.contains(u128::from(at)));
    if near().count() > policy::MAX_SHIFT_AMOUNTS.size() {
        return None;
    }
    let cases: Vec<u8> = near().chain(far.then_some(width)).collect();
    Some(try_all(result, a, amount, &cases, fixed))
}

/// The greatest amount by which a number up to `most` can be shifted right and be `least` or more, which is not zero.
pub(super) fn furthest(most: u128, least: u128) -> Result<u128, Conflict> {
    least.leading_zeros().checked_sub(most.leading_zeros()).map(u128::from).ok_or(Conflict)
}

/// Joins the cases that hold and removes the amounts of those that do not.
fn try_all(
    result: &mut IntDomain,
    a: &mut IntDomain,
    amount: &mut IntDomain,
    cases: &[u8],
    fixed: impl Fn(&mut IntDomain, &mut IntDomain, u8) -> Result<(), Conflict>,
) -> Result<(), Conflict> {
    let width = result.width();
    let mut union: Option<(IntDomain, IntDomain, IntDomain)> = None;
    for &case in cases {
        let (mut r, mut x, mut k) = (*result, *a, *amount);
        if fixed(&mut r, &mut x, case).is_err() {
            continue;
        }
        if case == width {
            k.narrow_unsigned(u128::from(width), u128::MAX)?;
        } else {
            k = IntDomain::singleton(width, u128::from(case));
        }
        union = Some(match union {
            Some(all) => (all.0.join(&r), all.1.join(&x), all.2.join(&k)),
            None => (r, x, k),
        });
    }
    let (r, x, k) = union.ok_or(Conflict)?;
    result.narrow(&r)?;
    a.narrow(&x)?;
    amount.narrow(&k)
}
