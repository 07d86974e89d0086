//! `b = (x == y)`, `b = (x < y)`, `b = (x <= y)` of IEEE, and `b = (x is y)`, the identity of values.
//! Hull consistent once the truth is known, entailment in both directions before.
//!
//! The order is that of the numbers: the zeros are equal, NaN is unordered, so that a false comparison tells nothing
//! while NaN is possible. The bounds follow FPSE with the correction of its Fig. 7: `x > y` raises the lower bound of
//! `x` to the successor of that of `y`, not the greater of both bounds to its own successor. Identity is equality of
//! values as the solver sees them: NaN is NaN, and `-0` is not `+0`.

use crate::domain::Conflict;
use crate::domain::boolean::BoolDomain;
use crate::domain::float::key::{self, Key};
use crate::domain::float::{FloatDomain, Interval, Special};

/// Narrows the domains of `b = (x == y)` of IEEE.
pub fn eq(x: &mut FloatDomain, y: &mut FloatDomain, b: &mut BoolDomain) -> Result<(), Conflict> {
    reify(x, y, b, make_equal, make_unequal)
}

/// Narrows the domains of `b = (x < y)` of IEEE.
pub fn lt(x: &mut FloatDomain, y: &mut FloatDomain, b: &mut BoolDomain) -> Result<(), Conflict> {
    reify(x, y, b, |x, y| make_ordered(x, y, Order::Less), |x, y| make_not_ordered(x, y, Order::Less))
}

/// Narrows the domains of `b = (x <= y)` of IEEE.
pub fn le(x: &mut FloatDomain, y: &mut FloatDomain, b: &mut BoolDomain) -> Result<(), Conflict> {
    reify(x, y, b, |x, y| make_ordered(x, y, Order::LessOrEqual), |x, y| make_not_ordered(x, y, Order::LessOrEqual))
}

/// Narrows the domains of `b = (x and y are the same value)`.
pub(crate) fn identical(x: &mut FloatDomain, y: &mut FloatDomain, b: &mut BoolDomain) -> Result<(), Conflict> {
    reify(x, y, b, make_identical, make_different)
}

type Narrow = fn(&mut FloatDomain, &mut FloatDomain) -> Result<(), Conflict>;

/// Narrows by the truth when it is known, otherwise excludes a truth that would be a conflict.
fn reify(
    x: &mut FloatDomain,
    y: &mut FloatDomain,
    b: &mut BoolDomain,
    when_true: Narrow,
    when_false: Narrow,
) -> Result<(), Conflict> {
    if b.value().is_none() {
        let possible = |narrow: Narrow| {
            let (mut x, mut y) = (*x, *y);
            narrow(&mut x, &mut y).is_ok()
        };
        match (possible(when_true), possible(when_false)) {
            (true, true) => return Ok(()),
            (can_be_true, _) => b.fix(can_be_true)?,
        }
    }
    if b.contains(true) { when_true(x, y) } else { when_false(x, y) }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Less,
    LessOrEqual,
}

/// `x < y` or `x <= y`: both are numbers.
fn make_ordered(x: &mut FloatDomain, y: &mut FloatDomain, order: Order) -> Result<(), Conflict> {
    x.remove(Special::Nan);
    y.remove(Special::Nan);
    restrict_to_order(x, y, order)
}

/// Not `x < y`, or not `x <= y`: one is NaN, or the numbers are in the opposite order.
fn make_not_ordered(x: &mut FloatDomain, y: &mut FloatDomain, order: Order) -> Result<(), Conflict> {
    let opposite = if order == Order::Less { Order::LessOrEqual } else { Order::Less };
    if x.may_be_nan() && y.may_be_nan() {
        return Ok(());
    }
    let (before_x, before_y) = (*x, *y);
    let possible = restrict_to_order(y, x, opposite).is_ok();
    // A possible NaN supports every value of the other operand; without an ordered pair it is all there is.
    match (before_x.may_be_nan(), before_y.may_be_nan()) {
        (true, _) => {
            *y = before_y;
            if !possible {
                *x = nan_of(x);
            }
        }
        (_, true) => {
            *x = before_x;
            if !possible {
                *y = nan_of(y);
            }
        }
        _ if possible => {}
        _ => return Err(Conflict),
    }
    x.non_empty()?;
    y.non_empty()
}

/// Narrows the numbers of both to pairs with `x < y` or `x <= y`; NaN stays where it is.
fn restrict_to_order(x: &mut FloatDomain, y: &mut FloatDomain, order: Order) -> Result<(), Conflict> {
    let (x_hull, y_hull) = (x.hull(), y.hull());
    if x_hull.is_empty() || y_hull.is_empty() {
        return Err(Conflict);
    }
    let (greatest, least) = match order {
        Order::Less => (below(y_hull.hi), above(x_hull.lo)),
        Order::LessOrEqual => (last_equal(y_hull.hi), first_equal(x_hull.lo)),
    };
    x.restrict(Interval { lo: Key::MIN, hi: greatest });
    y.restrict(Interval { lo: least, hi: Key::MAX });
    if x.may_be_number() && y.may_be_number() { Ok(()) } else { Err(Conflict) }
}

fn nan_of(domain: &FloatDomain) -> FloatDomain {
    FloatDomain::constant(domain.format(), key::nan(domain.format()))
}

fn is_zero(key: Key) -> bool {
    key == key::NEGATIVE_ZERO || key == key::POSITIVE_ZERO
}

/// The greatest key of a lesser number.
fn below(key: Key) -> Key {
    first_equal(key) - 1
}

/// The least key of a greater number.
fn above(key: Key) -> Key {
    last_equal(key) + 1
}

fn first_equal(key: Key) -> Key {
    if is_zero(key) { key::NEGATIVE_ZERO } else { key }
}

fn last_equal(key: Key) -> Key {
    if is_zero(key) { key::POSITIVE_ZERO } else { key }
}

fn make_equal(x: &mut FloatDomain, y: &mut FloatDomain) -> Result<(), Conflict> {
    x.remove(Special::Nan);
    y.remove(Special::Nan);
    let (x_zeros, y_zeros) = (with_both_zeros(x), with_both_zeros(y));
    *x = x.meet(&y_zeros);
    *y = y.meet(&x_zeros);
    x.non_empty()?;
    y.non_empty()
}

fn with_both_zeros(domain: &FloatDomain) -> FloatDomain {
    let mut closed = *domain;
    if domain.may_be(Special::NegativeZero) || domain.may_be(Special::PositiveZero) {
        closed.insert_special(Special::NegativeZero);
        closed.insert_special(Special::PositiveZero);
    }
    closed
}

fn make_unequal(x: &mut FloatDomain, y: &mut FloatDomain) -> Result<(), Conflict> {
    let (x_number, y_number) = (only_number(x), only_number(y));
    if let Some(interval) = y_number {
        remove_number(x, interval);
    }
    if let Some(interval) = x_number {
        remove_number(y, interval);
    }
    x.non_empty()?;
    y.non_empty()
}

/// The keys of the one number the domain holds, both zeros being one; `None` when NaN or another is possible.
fn only_number(domain: &FloatDomain) -> Option<Interval> {
    let hull = domain.hull();
    if domain.may_be_nan() || hull.is_empty() {
        return None;
    }
    (first_equal(hull.lo) == first_equal(hull.hi))
        .then(|| Interval { lo: first_equal(hull.lo), hi: last_equal(hull.hi) })
}

fn remove_number(domain: &mut FloatDomain, keys: Interval) {
    domain.remove_key(keys.lo);
    domain.remove_key(keys.hi);
}

fn make_identical(x: &mut FloatDomain, y: &mut FloatDomain) -> Result<(), Conflict> {
    *x = x.meet(y);
    *y = *x;
    x.non_empty()
}

fn make_different(x: &mut FloatDomain, y: &mut FloatDomain) -> Result<(), Conflict> {
    let (x_value, y_value) = (x.value(), y.value());
    for (domain, value) in [(&mut *x, y_value), (&mut *y, x_value)] {
        match value.map(|bits| key::of_bits(domain.format(), bits)) {
            Some(Some(key)) => domain.remove_key(key),
            Some(None) => domain.remove(Special::Nan),
            None => {}
        }
        domain.non_empty()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clew_scalar::float;

    use super::super::oracle::hunt_reified;

    #[test]
    fn eq_keeps_exactly_the_hull() {
        hunt_reified(400, |[x, y], b| super::eq(x, y, b), |format, [x, y], b| b == float::eq(format, x, y));
    }

    #[test]
    fn lt_keeps_exactly_the_hull() {
        hunt_reified(400, |[x, y], b| super::lt(x, y, b), |format, [x, y], b| b == float::lt(format, x, y));
    }

    #[test]
    fn le_keeps_exactly_the_hull() {
        hunt_reified(400, |[x, y], b| super::le(x, y, b), |format, [x, y], b| b == float::le(format, x, y));
    }

    #[test]
    fn identical_keeps_exactly_the_hull() {
        hunt_reified(400, |[x, y], b| super::identical(x, y, b), |_, [x, y], b| b == (x == y));
    }
}
