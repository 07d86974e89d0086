//! Rules of the float operators.
//!
//! Few identities of the reals hold: here are those that hold for every value, NaN and signed zeros included.

mod same;
mod zero;

use clew_scalar::{BinaryOp, Conversion, Format, Rounding, Type, UnaryOp, Value};

use crate::evaluate;
use crate::term::{Node, TermId, Terms};

/// Sign operations, roots and classifications.
pub(super) fn unary(terms: &mut Terms, op: UnaryOp, a: TermId) -> Option<TermId> {
    if zero::is_blind_to_signs(op)
        && let Some(x) = zero::without(terms, a)
    {
        return Some(terms.unary(op, x));
    }
    match (op, terms.node(a)) {
        (UnaryOp::FloatNeg, Node::Unary(UnaryOp::FloatNeg, x)) => Some(x),
        (UnaryOp::FloatAbs, Node::Unary(UnaryOp::FloatNeg, x)) => Some(terms.unary(op, x)),
        (UnaryOp::FloatAbs, Node::Unary(UnaryOp::FloatAbs, _)) => Some(a),
        (UnaryOp::FloatIsNegative, Node::Unary(UnaryOp::FloatAbs, _)) => Some(terms.bool(false)),
        (UnaryOp::FloatRoundToIntegral(_), Node::Unary(UnaryOp::FloatRoundToIntegral(_), _)) => Some(a),
        (
            UnaryOp::FloatIsNan
            | UnaryOp::FloatIsInfinite
            | UnaryOp::FloatIsZero
            | UnaryOp::FloatIsNormal
            | UnaryOp::FloatIsSubnormal,
            Node::Unary(UnaryOp::FloatNeg | UnaryOp::FloatAbs, x),
        ) => Some(terms.unary(op, x)),
        (UnaryOp::FloatIsNan, Node::Unary(UnaryOp::FloatRoundToIntegral(_), x)) => Some(terms.unary(op, x)),
        (UnaryOp::FloatIsNan, Node::Convert(Conversion::FloatToFloat(..), x)) => Some(terms.unary(op, x)),
        (UnaryOp::FloatIsNan, Node::Convert(Conversion::SignedToFloat(..) | Conversion::UnsignedToFloat(..), _)) => {
            Some(terms.bool(false))
        }
        _ => None,
    }
}

/// Arithmetic and comparisons.
pub(super) fn binary(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    let Type::Float(format) = terms.ty(a) else { unreachable!("float rules are asked about floats") };
    if let BinaryOp::FloatEq | BinaryOp::FloatLt | BinaryOp::FloatLe = op
        && let (x, y) = (zero::without(terms, a), zero::without(terms, b))
        && (x.is_some() || y.is_some())
    {
        return Some(terms.binary(op, x.unwrap_or(a), y.unwrap_or(b)));
    }
    if let BinaryOp::FloatEq | BinaryOp::FloatLt | BinaryOp::FloatLe = op
        && let Some(result) = same::compare(terms, op, a, b)
    {
        return Some(result);
    }
    match op {
        BinaryOp::FloatEq => float_eq(terms, format, a, b),
        BinaryOp::FloatLt | BinaryOp::FloatLe => float_less(terms, op, format, a, b),
        BinaryOp::FloatMin | BinaryOp::FloatMax => (a == b).then_some(a),
        _ if is_nan(terms, a) || is_nan(terms, b) => Some(terms.float(format, format.canonical_nan())),
        BinaryOp::FloatAdd(rounding) => zero::add(terms, rounding, format, a, b),
        BinaryOp::FloatSub(rounding) if a == b => Some(same::difference(terms, rounding, format, a)),
        BinaryOp::FloatDiv(_) if a == b => Some(same::quotient(terms, format, a)),
        BinaryOp::FloatSub(rounding) => match terms.value(b) {
            Some(subtrahend) => {
                let negated = terms.constant(evaluate::unary(UnaryOp::FloatNeg, subtrahend));
                Some(terms.binary(BinaryOp::FloatAdd(rounding), a, negated))
            }
            None => zero::sub(terms, rounding, a, b),
        },
        BinaryOp::FloatMul(rounding) => {
            let unit = terms.bits(b).and_then(|factor| unit_factor(terms, format, a, factor));
            unit.or_else(|| signs_outside(terms, BinaryOp::FloatMul(rounding), rounding, a, b))
        }
        BinaryOp::FloatDiv(rounding) => {
            let divisor = terms.value(b)?;
            unit_factor(terms, format, a, divisor.bits).or_else(|| {
                let inverse = exact_inverse(format, divisor)?;
                let inverse = terms.constant(inverse);
                Some(terms.binary(BinaryOp::FloatMul(rounding), a, inverse))
            })
        }
        _ => None,
    }
}

/// A product of negated factors as a product of the factors, negated as often: only where both directions round alike.
fn signs_outside(terms: &mut Terms, op: BinaryOp, rounding: Rounding, a: TermId, b: TermId) -> Option<TermId> {
    if matches!(rounding, Rounding::Up | Rounding::Down) {
        return None;
    }
    match (terms.node(a), terms.node(b)) {
        (Node::Unary(UnaryOp::FloatNeg, x), Node::Unary(UnaryOp::FloatNeg, y)) => Some(terms.binary(op, x, y)),
        (Node::Unary(UnaryOp::FloatNeg, x), Node::Const(factor)) => {
            let negated = terms.constant(evaluate::unary(UnaryOp::FloatNeg, factor));
            Some(terms.binary(op, x, negated))
        }
        (Node::Unary(UnaryOp::FloatNeg, x), _) => {
            let product = terms.binary(op, x, b);
            Some(terms.unary(UnaryOp::FloatNeg, product))
        }
        (_, Node::Unary(UnaryOp::FloatNeg, y)) => {
            let product = terms.binary(op, a, y);
            Some(terms.unary(UnaryOp::FloatNeg, product))
        }
        _ => None,
    }
}

fn is_nan(terms: &Terms, a: TermId) -> bool {
    terms.value(a).is_some_and(Value::is_nan)
}

/// `a * 1` and `a * -1`, `a / 1` and `a / -1`.
fn unit_factor(terms: &mut Terms, format: Format, a: TermId, factor: u128) -> Option<TermId> {
    if factor == format.one(false) {
        return Some(a);
    }
    (factor == format.one(true)).then(|| terms.unary(UnaryOp::FloatNeg, a))
}

/// The reciprocal where it is exact: division by a power of two is multiplication by another.
fn exact_inverse(format: Format, divisor: Value) -> Option<Value> {
    let is_power = format.is_normal(divisor.bits) && divisor.bits & format.fraction_mask() == 0;
    let one = Value::float(format, format.one(false));
    let inverse = evaluate::binary(BinaryOp::FloatDiv(Rounding::Zero), one, divisor);
    (is_power && format.is_normal(inverse.bits)).then_some(inverse)
}

fn float_eq(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> Option<TermId> {
    if a == b {
        let nan = terms.unary(UnaryOp::FloatIsNan, a);
        return Some(terms.not(nan));
    }
    if let (Some(x), Some(y)) = (widened_from(terms, a), widened_from(terms, b))
        && terms.ty(x) == terms.ty(y)
    {
        return Some(terms.binary(BinaryOp::FloatEq, x, y));
    }
    for (magnitude, x) in [(a, b), (b, a)] {
        if is_magnitude(terms, magnitude, x) {
            return Some(is_from_zero(terms, format, x));
        }
        if let Some(settled) = same::multiple(terms, format, x, magnitude) {
            return Some(settled);
        }
    }
    let bits = terms.bits(b)?;
    if format.is_nan(bits) {
        return Some(terms.bool(false));
    }
    if format.is_zero(bits) {
        return Some(terms.unary(UnaryOp::FloatIsZero, a));
    }
    Some(terms.same(a, b))
}

/// Whether a term is the magnitude of another one.
fn is_magnitude(terms: &Terms, a: TermId, of: TermId) -> bool {
    terms.node(a) == Node::Unary(UnaryOp::FloatAbs, of)
}

/// `0 <= a`.
fn is_from_zero(terms: &mut Terms, format: Format, a: TermId) -> TermId {
    let zero = terms.float(format, format.zero(false));
    terms.binary(BinaryOp::FloatLe, zero, a)
}

fn float_less(terms: &mut Terms, op: BinaryOp, format: Format, a: TermId, b: TermId) -> Option<TermId> {
    if is_nan(terms, a) || is_nan(terms, b) {
        return Some(terms.bool(false));
    }
    if a == b {
        return Some(if op == BinaryOp::FloatLt { terms.bool(false) } else { is_number(terms, a) });
    }
    // No number is above its magnitude, and those below it are negative.
    match op {
        BinaryOp::FloatLe if is_magnitude(terms, b, a) => return Some(is_number(terms, a)),
        BinaryOp::FloatLt if is_magnitude(terms, a, b) => return Some(terms.bool(false)),
        BinaryOp::FloatLe if is_magnitude(terms, a, b) => return Some(is_from_zero(terms, format, b)),
        BinaryOp::FloatLt if is_magnitude(terms, b, a) => {
            let zero = terms.float(format, format.zero(false));
            return Some(terms.binary(op, a, zero));
        }
        _ => {}
    }
    let (below_all, above_all) = (format.infinity(true), format.infinity(false));
    if op == BinaryOp::FloatLt && (terms.bits(b) == Some(below_all) || terms.bits(a) == Some(above_all)) {
        return Some(terms.bool(false));
    }
    if op == BinaryOp::FloatLe && terms.bits(b) == Some(above_all) {
        return Some(is_number(terms, a));
    }
    if op == BinaryOp::FloatLe && terms.bits(a) == Some(below_all) {
        return Some(is_number(terms, b));
    }
    let moved = moved_less(terms, op, format, a, b);
    moved.or_else(|| negated_less(terms, op, a, b)).or_else(|| widened_less(terms, op, a, b))
}

/// `x <= x + c` holds for every number `x`, and `x + c < x` for none, where `c` is a finite constant that is not negative:
/// rounding keeps the order. The same downwards.
fn moved_less(terms: &mut Terms, op: BinaryOp, format: Format, a: TermId, b: TermId) -> Option<TermId> {
    let moves = |term: TermId, from: TermId, down: bool| match terms.node(term) {
        Node::Binary(BinaryOp::FloatAdd(_), x, c) if x == from => {
            terms.bits(c).is_some_and(|bits| format.is_finite(bits) && format.sign(bits) == down)
        }
        _ => false,
    };
    match op {
        BinaryOp::FloatLe if moves(b, a, false) => Some(is_number(terms, a)),
        BinaryOp::FloatLe if moves(a, b, true) => Some(is_number(terms, b)),
        BinaryOp::FloatLt if moves(a, b, false) || moves(b, a, true) => Some(terms.bool(false)),
        _ => None,
    }
}

fn is_number(terms: &mut Terms, a: TermId) -> TermId {
    let nan = terms.unary(UnaryOp::FloatIsNan, a);
    terms.not(nan)
}

/// `-x < -y` is `y < x`, also where one side is a constant.
fn negated_less(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    match (terms.node(a), terms.node(b)) {
        (Node::Unary(UnaryOp::FloatNeg, x), Node::Unary(UnaryOp::FloatNeg, y)) => Some(terms.binary(op, y, x)),
        (Node::Unary(UnaryOp::FloatNeg, x), Node::Const(bound)) => {
            let bound = terms.constant(evaluate::unary(UnaryOp::FloatNeg, bound));
            Some(terms.binary(op, bound, x))
        }
        (Node::Const(bound), Node::Unary(UnaryOp::FloatNeg, y)) => {
            let bound = terms.constant(evaluate::unary(UnaryOp::FloatNeg, bound));
            Some(terms.binary(op, y, bound))
        }
        _ => None,
    }
}

/// A comparison of widened operands in the narrow format; a constant is rounded to the side that keeps the meaning.
fn widened_less(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    match (widened_from(terms, a), widened_from(terms, b)) {
        (Some(x), Some(y)) if terms.ty(x) == terms.ty(y) => Some(terms.binary(op, x, y)),
        (Some(x), None) => {
            let (bound, exact) = narrowed(terms, x, b, Rounding::Down)?;
            let op = if exact { op } else { BinaryOp::FloatLe };
            Some(terms.binary(op, x, bound))
        }
        (None, Some(y)) => {
            let (bound, exact) = narrowed(terms, y, a, Rounding::Up)?;
            let op = if exact { op } else { BinaryOp::FloatLe };
            Some(terms.binary(op, bound, y))
        }
        _ => None,
    }
}

/// A constant bound in the format of `like`, and whether that was exact.
fn narrowed(terms: &mut Terms, like: TermId, bound: TermId, rounding: Rounding) -> Option<(TermId, bool)> {
    let wide = terms.value(bound)?;
    let (Type::Float(narrow), Type::Float(format)) = (terms.ty(like), wide.ty) else { return None };
    let rounded = evaluate::convert(Conversion::FloatToFloat(narrow, rounding), wide);
    let back = evaluate::convert(Conversion::FloatToFloat(format, rounding), rounded);
    Some((terms.constant(rounded), back == wide))
}

/// The operand of a conversion to a format that holds every value of the operand's.
fn widened_from(terms: &Terms, a: TermId) -> Option<TermId> {
    match terms.node(a) {
        Node::Convert(Conversion::FloatToFloat(wide, _), x) => match terms.ty(x) {
            Type::Float(narrow) if holds_all(wide, narrow) => Some(x),
            _ => None,
        },
        _ => None,
    }
}

/// Whether every value of the narrow format is one of the wide format.
fn holds_all(wide: Format, narrow: Format) -> bool {
    wide.significand >= narrow.significand && wide.exponent >= narrow.exponent
}

/// Conversions to, from and between floats.
pub(super) fn convert(terms: &mut Terms, op: Conversion, a: TermId) -> Option<TermId> {
    match (op, terms.node(a)) {
        (Conversion::BitsToFloat(format), Node::Convert(Conversion::FloatToBits, x))
            if terms.ty(x) == Type::Float(format) =>
        {
            Some(x)
        }
        (Conversion::FloatToFloat(format, _), _) if terms.ty(a) == Type::Float(format) => Some(a),
        (Conversion::FloatToFloat(format, rounding), Node::Convert(Conversion::FloatToFloat(..), x))
            if widened_from(terms, a).is_some() =>
        {
            Some(terms.convert(Conversion::FloatToFloat(format, rounding), x))
        }
        (Conversion::SignedToFloat(format, rounding), Node::Convert(Conversion::SignExtend(_), x)) => {
            Some(terms.convert(Conversion::SignedToFloat(format, rounding), x))
        }
        (Conversion::UnsignedToFloat(format, rounding), Node::Convert(Conversion::ZeroExtend(_), x)) => {
            Some(terms.convert(Conversion::UnsignedToFloat(format, rounding), x))
        }
        (Conversion::SignedToFloat(format, rounding), Node::Convert(Conversion::ZeroExtend(width), x))
            if terms.width(x) < width =>
        {
            Some(terms.convert(Conversion::UnsignedToFloat(format, rounding), x))
        }
        _ => None,
    }
}
