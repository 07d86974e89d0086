//! `b = (x is NaN)`, and likewise infinite, zero, normal, subnormal, negative.
//! Domain consistent up to the single interval of the domain.

use clew_scalar::{Format, UnaryOp};

use crate::domain::Conflict;
use crate::domain::boolean::BoolDomain;
use crate::domain::float::key::{self, Key};
use crate::domain::float::{FloatDomain, Interval, Special};

/// Narrows the domains of `b = op(x)`.
///
/// # Panics
/// When `op` is not a classification of floats.
pub fn classify(op: UnaryOp, x: &mut FloatDomain, b: &mut BoolDomain) -> Result<(), Conflict> {
    let member = |class| belongs(op, class);
    let inside = part(x, member);
    let outside = part(x, |class| !member(class));
    match (inside.is_empty(), outside.is_empty()) {
        (true, _) => b.fix(false)?,
        (_, true) => b.fix(true)?,
        _ => {}
    }
    match b.value() {
        Some(true) => *x = inside,
        Some(false) => *x = outside,
        None => {}
    }
    x.non_empty()
}

/// What the classifications tell apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Nan,
    Infinite,
    Normal,
    Subnormal,
    Zero,
}

/// A class and, but for NaN, the sign.
type SignedClass = (Class, bool);

fn belongs(op: UnaryOp, (class, negative): SignedClass) -> bool {
    match op {
        UnaryOp::FloatIsNan => class == Class::Nan,
        UnaryOp::FloatIsInfinite => class == Class::Infinite,
        UnaryOp::FloatIsZero => class == Class::Zero,
        UnaryOp::FloatIsNormal => class == Class::Normal,
        UnaryOp::FloatIsSubnormal => class == Class::Subnormal,
        UnaryOp::FloatIsNegative => negative && class != Class::Nan,
        _ => unreachable!("{op:?} is not a classification of floats"),
    }
}

/// The part of a domain in the classes wanted.
fn part(x: &FloatDomain, wanted: impl Fn(SignedClass) -> bool) -> FloatDomain {
    let mut part = FloatDomain::empty(x.format());
    if x.may_be_nan() && wanted((Class::Nan, false)) {
        part.insert_special(Special::Nan);
    }
    for class in [Class::Infinite, Class::Normal, Class::Subnormal, Class::Zero] {
        for negative in [false, true] {
            if wanted((class, negative)) {
                let mut members = *x;
                members.remove(Special::Nan);
                members.restrict(keys_of(x.format(), class, negative));
                part = part.join(&members);
            }
        }
    }
    part
}

/// The keys of the numbers of a class and sign.
fn keys_of(format: Format, class: Class, negative: bool) -> Interval {
    let infinity = key::positive_infinity(format);
    let least_normal: Key = 1 << (format.significand - 1);
    let Interval { lo, hi } = match class {
        Class::Infinite => Interval::point(infinity),
        Class::Normal => Interval { lo: least_normal, hi: infinity - 1 },
        Class::Subnormal => Interval { lo: 1, hi: least_normal - 1 },
        Class::Zero => Interval::point(0),
        Class::Nan => Interval::EMPTY,
    };
    if negative { Interval { lo: key::negate(hi), hi: key::negate(lo) } } else { Interval { lo, hi } }
}

#[cfg(test)]
mod tests {
    use clew_scalar::{Type, UnaryOp, Value, eval};

    use super::super::oracle::hunt_reified;
    use super::classify;

    #[test]
    fn classifications_keep_exactly_the_hull() {
        for op in [
            UnaryOp::FloatIsNan,
            UnaryOp::FloatIsInfinite,
            UnaryOp::FloatIsZero,
            UnaryOp::FloatIsNormal,
            UnaryOp::FloatIsSubnormal,
            UnaryOp::FloatIsNegative,
        ] {
            let holds = |format, [bits]: [u128; 1]| eval::unary(op, Value { ty: Type::Float(format), bits }).bits == 1;
            hunt_reified(300, |[x], b| classify(op, x, b), |format, point, b| b == holds(format, point));
        }
    }
}
