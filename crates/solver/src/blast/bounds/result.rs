//! The bounds of an operator's result from those of its operands.
//!
//! Rounded operators are monotone in each operand on either side of zero, so the extreme results are at the ends of
//! the operands. Zeros need care: where the sign of a zero is open, both zeros are within the bounds. An operator that
//! can give NaN on operands within their bounds gives none.

use clew_scalar::{BinaryOp, Conversion, Format, TernaryOp, Type, UnaryOp, Value, eval};

use super::Bounds;
use crate::term::{Node, TermId, Terms};

/// The bounds of a float term, if its operands have some and it cannot be NaN.
pub(super) fn of_node(terms: &Terms, term: TermId, bounds: impl Fn(TermId) -> Option<Bounds>) -> Option<Bounds> {
    match terms.node(term) {
        Node::Unary(op, a) => of_unary(op, &bounds(a)?),
        Node::Binary(op, a, b) if matches!(terms.ty(a), Type::Float(_)) => of_binary(op, &bounds(a)?, &bounds(b)?),
        Node::Ternary(TernaryOp::Select, _, a, b) if matches!(terms.sort(term), crate::term::Sort::Scalar(_)) => {
            let (a, b) = (bounds(a)?, bounds(b)?);
            Some(Bounds { lo: a.lo.min(b.lo), hi: a.hi.max(b.hi), ..a })
        }
        Node::Convert(op, a) => of_conversion(op, terms.ty(a), || bounds(a)),
        _ => None,
    }
}

fn of_unary(op: UnaryOp, a: &Bounds) -> Option<Bounds> {
    match op {
        UnaryOp::FloatNeg => Some(Bounds { lo: -1 - a.hi, hi: -1 - a.lo, ..*a }),
        UnaryOp::FloatAbs => {
            let (lo, hi) = (a.lo.max(-1 - a.hi).max(0), a.hi.max(-1 - a.lo));
            Some(Bounds { lo, hi, ..*a })
        }
        UnaryOp::FloatSqrt(_) if a.lo < -1 => None,
        UnaryOp::FloatSqrt(_) | UnaryOp::FloatRoundToIntegral(_) => {
            Some(hull(a.format, a.ends().map(|end| eval::unary(op, Value::float(a.format, end)).bits)))
        }
        _ => None,
    }
}

fn of_binary(op: BinaryOp, a: &Bounds, b: &Bounds) -> Option<Bounds> {
    let defined = match op {
        BinaryOp::FloatAdd(_) | BinaryOp::FloatSub(_) => !(a.has_infinity() && b.has_infinity()),
        BinaryOp::FloatMul(_) => !(a.has_infinity() && b.has_zero() || a.has_zero() && b.has_infinity()),
        BinaryOp::FloatDiv(_) => !(b.has_zero() || a.has_infinity() && b.has_infinity()),
        _ => false,
    };
    if !defined {
        return None;
    }
    let value = |bits| Value::float(a.format, bits);
    let corners = a.ends().into_iter().flat_map(|x| b.ends().map(|y| (x, y)));
    let results = corners.map(|(x, y)| eval::binary(op, value(x), value(y)).bits);
    let hull = hull(a.format, results);
    Some(match sign(op, a, b) {
        Some(false) => Bounds { lo: hull.lo.max(0), ..hull },
        Some(true) => Bounds { hi: hull.hi.min(-1), ..hull },
        None => with_both_zeros(hull),
    })
}

/// The sign of all results, if there is one.
fn sign(op: BinaryOp, a: &Bounds, b: &Bounds) -> Option<bool> {
    let (x, y) = (a.sign()?, b.sign()?);
    match op {
        BinaryOp::FloatAdd(_) => (x == y).then_some(x),
        BinaryOp::FloatSub(_) => (x != y).then_some(x),
        _ => Some(x != y),
    }
}

/// The conversion of an integer or a float to a float.
fn of_conversion(op: Conversion, from: Type, bounds: impl Fn() -> Option<Bounds>) -> Option<Bounds> {
    let ends =
        |format: Format, ends: [u128; 2]| hull(format, ends.map(|bits| eval::convert(op, Value::new(from, bits)).bits));
    match op {
        Conversion::FloatToFloat(format, _) => Some(ends(format, bounds()?.ends())),
        Conversion::UnsignedToFloat(format, _) => Some(ends(format, [0, from.mask()])),
        Conversion::SignedToFloat(format, _) => {
            let least = 1 << (from.width() - 1);
            Some(ends(format, [least, least - 1]))
        }
        _ => None,
    }
}

/// The least bounds around all results.
fn hull(format: Format, results: impl IntoIterator<Item = u128>) -> Bounds {
    let places = results.into_iter().map(|bits| {
        debug_assert!(!format.is_nan(bits), "the operator is defined on its operands");
        format.ordered(bits)
    });
    let (lo, hi) = places.fold((i128::MAX, i128::MIN), |(lo, hi), place| (lo.min(place), hi.max(place)));
    Bounds { format, lo, hi }
}

fn with_both_zeros(bounds: Bounds) -> Bounds {
    let lo = if bounds.lo == 0 { -1 } else { bounds.lo };
    let hi = if bounds.hi == -1 { 0 } else { bounds.hi };
    Bounds { lo, hi, ..bounds }
}

#[cfg(test)]
mod tests {
    use super::{BinaryOp, Bounds, Format, Value, eval, of_binary};
    use clew_scalar::Rounding;

    /// Every result on every pair of intervals of a tiny format is within the bounds.
    #[test]
    fn results_are_within_bounds() {
        let format = Format { exponent: 2, significand: 3 };
        let all = Bounds::all(format);
        let intervals: Vec<Bounds> = (all.lo..=all.hi)
            .flat_map(|lo| (lo..=all.hi).step_by(3).map(move |hi| Bounds { format, lo, hi }))
            .collect();
        for rounding in [Rounding::NearestEven, Rounding::Down, Rounding::Up] {
            let ops = [
                BinaryOp::FloatAdd(rounding),
                BinaryOp::FloatSub(rounding),
                BinaryOp::FloatMul(rounding),
                BinaryOp::FloatDiv(rounding),
            ];
            for op in ops {
                for (a, b) in intervals.iter().flat_map(|a| intervals.iter().step_by(2).map(move |b| (a, b))) {
                    let Some(bounds) = of_binary(op, a, b) else { continue };
                    check(op, a, b, &bounds);
                }
            }
        }
    }

    fn check(op: BinaryOp, a: &Bounds, b: &Bounds, bounds: &Bounds) {
        let value = |place| Value::float(a.format, a.format.from_ordered(place));
        for (x, y) in (a.lo..=a.hi).flat_map(|x| (b.lo..=b.hi).map(move |y| (x, y))) {
            let result = eval::binary(op, value(x), value(y)).bits;
            assert!(!a.format.is_nan(result), "{op:?} {x} {y} is NaN");
            let place = a.format.ordered(result);
            assert!(bounds.lo <= place && place <= bounds.hi, "{op:?} {x} {y} is {place}, not in {bounds:?}");
        }
    }
}
