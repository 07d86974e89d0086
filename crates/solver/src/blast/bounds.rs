//! Floats known to lie between constants.
//!
//! An assertion that holds for ever and compares a float term with a constant bounds the term in every model. Bounds
//! turn the flags of the unpacked float into constants and narrow its exponent, so that the operators built on it lose
//! the circuits for NaN, infinities, subnormal numbers, overflow and underflow as far as they cannot occur. The bounds
//! of results follow from those of operands ([`result`]). The assertion itself is encoded as it stands; what is
//! concluded from it is asserted about the unrestricted float.

mod result;

use clew_scalar::{BinaryOp, Format, Type, UnaryOp};
use rustc_hash::FxHashMap;

use super::exponent::Signed;
use super::float::Float;
use super::gates::{Gates, Lit};
use crate::term::{Mark, Node, TermId, Terms};

/// An interval of numbers, by their places in the order of the format; no NaN is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    format: Format,
    lo: i128,
    hi: i128,
}

impl Bounds {
    fn all(format: Format) -> Bounds {
        Bounds { format, lo: format.ordered(format.infinity(true)), hi: format.ordered(format.infinity(false)) }
    }

    fn constant(format: Format, bits: u128) -> Bounds {
        let place = format.ordered(bits);
        Bounds { format, lo: place, hi: place }
    }

    /// The ends, as encodings.
    fn ends(&self) -> [u128; 2] {
        [self.format.from_ordered(self.lo), self.format.from_ordered(self.hi)]
    }

    fn meet(self, other: Bounds) -> Bounds {
        Bounds { format: self.format, lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) }
    }

    fn is_empty(&self) -> bool {
        self.lo > self.hi
    }

    fn has_zero(&self) -> bool {
        self.lo <= 0 && self.hi >= -1
    }

    fn has_infinity(&self) -> bool {
        let all = Bounds::all(self.format);
        self.lo == all.lo || self.hi == all.hi
    }

    /// The sign bit, if all have the same.
    fn sign(&self) -> Option<bool> {
        match (self.lo >= 0, self.hi < 0) {
            (true, _) => Some(false),
            (_, true) => Some(true),
            _ => None,
        }
    }

    /// The least and greatest exponent of a number other than zero, with one of its neighbours counted in.
    pub(super) fn exponents(&self) -> (i32, i32) {
        let magnitude = |place: i128| self.format.magnitude(self.format.from_ordered(place));
        let (a, b) = (magnitude(self.lo), magnitude(self.hi));
        let least = if self.has_zero() { 1 } else { a.min(b) };
        (exponent(self.format, least.max(1)), exponent(self.format, a.max(b).max(1)).min(self.format.emax()))
    }
}

/// The exponent of a finite magnitude other than zero.
fn exponent(format: Format, magnitude: u128) -> i32 {
    let field = i32::try_from(magnitude >> (format.significand - 1)).expect("an exponent field is short");
    if field > 0 {
        return field - format.bias();
    }
    let top = i32::try_from(magnitude.ilog2()).expect("a width is small");
    format.emin() - i32::from(format.significand) + 1 + top
}

/// The bounds of terms.
#[derive(Default)]
pub(super) struct AllBounds(FxHashMap<TermId, Bounds>);

impl AllBounds {
    /// Takes in what an assertion that holds for ever says about a float.
    pub(super) fn note(&mut self, terms: &Terms, assertion: TermId) {
        for (term, bounds) in conclusions(terms, assertion) {
            let known = self.0.entry(term).or_insert(Bounds::all(bounds.format));
            *known = known.meet(bounds);
        }
    }

    /// Forgets the terms created since the mark.
    pub(super) fn release(&mut self, mark: Mark) {
        self.0.retain(|term, _| term.index() < mark.terms());
    }

    /// The bounds of a term, unless they are contradictory.
    pub(super) fn get(&self, term: TermId) -> Option<&Bounds> {
        self.0.get(&term).filter(|bounds| !bounds.is_empty())
    }

    /// Concludes from the bounds of the operands of a term.
    pub(super) fn derive(&mut self, terms: &Terms, term: TermId) {
        if let Some(bounds) = result::of_node(terms, term, |operand| self.of_operand(terms, operand)) {
            let known = self.0.entry(term).or_insert(bounds);
            *known = known.meet(bounds);
        }
    }

    /// A variable has the bounds of the term it equals.
    pub(super) fn equate(&mut self, terms: &Terms, variable: TermId, term: TermId) {
        if let Some(bounds) = self.of_operand(terms, term) {
            let known = self.0.entry(variable).or_insert(bounds);
            *known = known.meet(bounds);
        }
    }

    fn of_operand(&self, terms: &Terms, term: TermId) -> Option<Bounds> {
        match (terms.ty(term), terms.bits(term)) {
            (Type::Float(format), Some(bits)) => (!format.is_nan(bits)).then(|| Bounds::constant(format, bits)),
            (Type::Float(_), None) => self.get(term).copied(),
            _ => None,
        }
    }
}

/// What an assertion says about single floats.
fn conclusions(terms: &Terms, assertion: TermId) -> Vec<(TermId, Bounds)> {
    let constant = |term: TermId| match (terms.ty(term), terms.bits(term)) {
        (Type::Float(format), Some(bits)) if !format.is_nan(bits) => Some((format, bits)),
        _ => None,
    };
    match terms.node(assertion) {
        Node::Binary(op @ (BinaryOp::FloatLt | BinaryOp::FloatLe | BinaryOp::FloatEq), a, b) => {
            let above = constant(a).map(|(format, bits)| (b, at_least(format, bits, op)));
            let below = constant(b).map(|(format, bits)| (a, at_most(format, bits, op)));
            above.into_iter().chain(below).chain(numbers(terms, a)).chain(numbers(terms, b)).collect()
        }
        Node::Unary(UnaryOp::Not, negated) => match terms.node(negated) {
            Node::Unary(UnaryOp::FloatIsNan, float) => numbers(terms, float).into_iter().collect(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// A term that is no NaN.
fn numbers(terms: &Terms, term: TermId) -> Option<(TermId, Bounds)> {
    match (terms.ty(term), terms.bits(term)) {
        (Type::Float(format), None) => Some((term, Bounds::all(format))),
        _ => None,
    }
}

/// The numbers `x` with `bits op x`.
fn at_least(format: Format, bits: u128, op: BinaryOp) -> Bounds {
    let all = Bounds::all(format);
    let place = format.ordered(bits);
    match (op, format.is_zero(bits)) {
        (BinaryOp::FloatLt, true) => Bounds { lo: 1, ..all },
        (BinaryOp::FloatLt, false) => Bounds { lo: place + 1, ..all },
        (BinaryOp::FloatEq, true) => Bounds { lo: -1, hi: 0, ..all },
        (BinaryOp::FloatEq, false) => Bounds { lo: place, hi: place, ..all },
        (_, true) => Bounds { lo: -1, ..all },
        (_, false) => Bounds { lo: place, ..all },
    }
}

/// The numbers `x` with `x op bits`.
fn at_most(format: Format, bits: u128, op: BinaryOp) -> Bounds {
    let mirrored = at_least(format, bits ^ format.sign_mask(), op);
    Bounds { lo: -1 - mirrored.hi, hi: -1 - mirrored.lo, ..mirrored }
}

impl Gates {
    /// A float that is within the bounds in every model of what is asserted. The conclusions are asserted.
    pub(super) fn restrict(&mut self, float: &Float, bounds: &Bounds) -> Float {
        let (lo, hi) = bounds.exponents();
        let mut restricted = Float { nan: Lit::FALSE, ..float.clone() };
        self.assert(!float.nan);
        if !bounds.has_infinity() {
            self.assert(!float.infinite);
            restricted.infinite = Lit::FALSE;
        }
        if !bounds.has_zero() {
            self.assert(!float.zero);
            restricted.zero = Lit::FALSE;
        }
        if let Some(negative) = bounds.sign() {
            let sign = Lit::constant(negative);
            let known = self.same(float.sign, sign);
            self.assert(known);
            restricted.sign = sign;
        }
        restricted.exponent = self.restrict_exponent(float, lo, hi);
        restricted
    }

    fn restrict_exponent(&mut self, float: &Float, lo: i32, hi: i32) -> Signed {
        let small = self.signed_below(&float.exponent, lo);
        let great = !self.signed_below(&float.exponent, hi + 1);
        let outside = self.or(small, great);
        let other = self.any(&[float.zero, float.infinite]);
        let inside = self.or(!outside, other);
        self.assert(inside);
        float.exponent.within(lo, hi)
    }
}

#[cfg(test)]
mod tests {
    use super::{Bounds, at_least, at_most};
    use clew_scalar::{BinaryOp, Format, Value, eval};

    #[test]
    fn bounds_contain_exactly_what_compares() {
        let format = Format { exponent: 3, significand: 3 };
        let value = |bits| Value::float(format, bits);
        for op in [BinaryOp::FloatLt, BinaryOp::FloatLe, BinaryOp::FloatEq] {
            for bound in (0..1 << 6).filter(|&bits| !format.is_nan(bits)) {
                let (above, below) = (at_least(format, bound, op), at_most(format, bound, op));
                for bits in (0..1 << 6).filter(|&bits| !format.is_nan(bits)) {
                    let place = format.ordered(bits);
                    let inside = |bounds: &Bounds| bounds.lo <= place && place <= bounds.hi;
                    assert_eq!(inside(&above), eval::binary(op, value(bound), value(bits)).is_true());
                    assert_eq!(inside(&below), eval::binary(op, value(bits), value(bound)).is_true());
                }
            }
        }
    }
}
