//! Rules that undo a division: `x = (x / y) * y + x % y`, signed and unsigned, a zero divisor included.
//!
//! A quotient times its divisor, where that is not constant, becomes `x - x % y`: a circuit without the product, from which
//! the rest follows. With a constant divisor it stays, for then the product tells that the result is a multiple.

use clew_scalar::{BinaryOp, Conversion};

use crate::term::{Node, TermId, Terms, mask};

/// `(x / y) * y` as `x - x % y`; the same of both factors extended, where the product cannot wrap round.
pub(super) fn product(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if terms.bits(b).is_some() {
        return None;
    }
    let (quotient, y) = [(a, b), (b, a)].into_iter().find(|&(a, b)| divided(terms, a, b).is_some())?;
    let (rem, x) = divided(terms, quotient, y)?;
    match (terms.node(quotient), terms.node(y)) {
        (Node::Convert(extension, _), Node::Convert(_, divisor)) => Some(extended(terms, extension, rem, x, divisor)),
        _ => Some(multiple(terms, rem, x, y)),
    }
}

/// The remainder's operator and the dividend where `a` is a quotient by `b`, or both are extended alike.
fn divided(terms: &Terms, a: TermId, b: TermId) -> Option<(BinaryOp, TermId)> {
    match (terms.node(a), terms.node(b)) {
        (Node::Binary(BinaryOp::UDiv, x, y), _) if y == b => Some((BinaryOp::URem, x)),
        (Node::Binary(BinaryOp::SDiv, x, y), _) if y == b => Some((BinaryOp::SRem, x)),
        (Node::Convert(f, a), Node::Convert(g, b)) if f == g => match (f, terms.node(a)) {
            (Conversion::ZeroExtend(_), Node::Binary(BinaryOp::UDiv, x, y)) if y == b => Some((BinaryOp::URem, x)),
            (Conversion::SignExtend(_), Node::Binary(BinaryOp::SDiv, x, y)) if y == b => Some((BinaryOp::SRem, x)),
            _ => None,
        },
        _ => None,
    }
}

/// `x - x % y`.
fn multiple(terms: &mut Terms, rem: BinaryOp, x: TermId, y: TermId) -> TermId {
    let rest = terms.binary(rem, x, y);
    terms.binary(BinaryOp::Sub, x, rest)
}

/// `x - x % y`, extended. The least signed number divided by -1 is the only quotient whose product with the divisor needs
/// the further bits.
fn extended(terms: &mut Terms, extension: Conversion, rem: BinaryOp, x: TermId, y: TermId) -> TermId {
    let narrow = multiple(terms, rem, x, y);
    let wide = terms.convert(extension, narrow);
    if rem == BinaryOp::URem {
        return wide;
    }
    let width = terms.width(x);
    let (least, ones) = (terms.int(width, 1 << (width - 1)), terms.int(width, mask(width)));
    let (is_least, is_ones) = (terms.eq(x, least), terms.eq(y, ones));
    let overflows = terms.and(is_least, is_ones);
    let beyond = terms.int(terms.width(wide), 1 << (width - 1));
    terms.select(overflows, beyond, wide)
}

/// `(x / c) * c + x % c` as `x`.
pub(super) fn sum(terms: &Terms, a: TermId, b: TermId) -> Option<TermId> {
    [(a, b), (b, a)].into_iter().find_map(|(product, rest)| {
        let (rem, x, c) = multiple_of_constant(terms, product)?;
        let Node::Binary(op, y, divisor) = terms.node(rest) else { return None };
        (op == rem && x == y && terms.bits(divisor) == Some(c)).then_some(x)
    })
}

/// `x - (x / c) * c` as `x % c`.
pub(super) fn difference(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (rem, x, c) = multiple_of_constant(terms, b)?;
    (x == a).then(|| {
        let divisor = terms.int(terms.width(x), c);
        terms.binary(rem, x, divisor)
    })
}

/// The remainder's operator, the dividend and the divisor where a term is `(x / c) * c`.
fn multiple_of_constant(terms: &Terms, term: TermId) -> Option<(BinaryOp, TermId, u128)> {
    let (quotient, factor) = match terms.node(term) {
        Node::Binary(BinaryOp::Mul, quotient, c) => (quotient, terms.bits(c)?),
        Node::Binary(BinaryOp::Shl, quotient, c) => (quotient, 1u128.checked_shl(u32::try_from(terms.bits(c)?).ok()?)?),
        _ => return None,
    };
    let (rem, x, y) = match terms.node(quotient) {
        Node::Binary(BinaryOp::UDiv, x, y) => (BinaryOp::URem, x, y),
        Node::Binary(BinaryOp::SDiv, x, y) => (BinaryOp::SRem, x, y),
        _ => return None,
    };
    (terms.bits(y)? == factor).then_some((rem, x, factor))
}

/// The number whose lowest bits are one of two terms, and whose others, in their place, are the other one.
pub(super) fn reassembled(terms: &Terms, a: TermId, b: TermId) -> Option<TermId> {
    let one_way = |high: TermId, low: TermId| {
        let Node::Convert(Conversion::ZeroExtend(_), slice) = terms.node(low) else { return None };
        let (bits, whole) = match terms.node(slice) {
            Node::Extract { hi, lo: 0, of } => (hi + 1, of),
            Node::Convert(Conversion::Truncate(bits), of) => (bits, of),
            _ => return None,
        };
        let is_high = match terms.node(high) {
            Node::Binary(BinaryOp::And, x, c) => {
                x == whole && terms.bits(c) == Some(mask(terms.width(x)) & !mask(bits))
            }
            Node::Binary(BinaryOp::Shl, shifted, c) => {
                let is_back = |d: TermId| terms.bits(c) == Some(bits.into()) && terms.bits(d) == Some(bits.into());
                matches!(terms.node(shifted), Node::Binary(BinaryOp::LShr, x, d) if x == whole && is_back(d))
            }
            _ => false,
        };
        is_high.then_some(whole)
    };
    one_way(a, b).or_else(|| one_way(b, a))
}
