//! `a == b` as an equation between polynomials modulo 2^w, where both sides are sums, differences and products.
//!
//! Both sides are multiplied out; what they have in common cancels, whatever wraps round: `2 * (i + 1) == 2 * i + 2` and
//! `(i + 1) * (i + 1) == i * i + 2 * i + 1` hold, `2 * i == 2 * j + 1` does not. This is how programs keep a relation
//! between counters. Everything else (divisions, bitwise operators, conversions) is an atom. Only small terms are
//! multiplied out, and an equation is rebuilt only when it has become linear and shorter.

use crate::policy;
use std::collections::BTreeMap;

use clew_scalar::{BinaryOp, UnaryOp};

use super::is_bool;
use crate::term::{Node, TermId, Terms, mask};

/// Atoms that are multiplied, in order; the constant has none.
type Monomial = Vec<TermId>;

/// Coefficients modulo 2^128, of which the lowest bits count; none of them is zero there.
#[derive(Clone, Default)]
struct Polynomial(BTreeMap<Monomial, u128>);

/// `a == b`, decided or shortened.
pub(super) fn equal(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if is_bool(terms, a) || !is_arithmetic(terms, a) && !is_arithmetic(terms, b) {
        return None;
    }
    let mut left = policy::POLYNOMIAL_OPERATORS.size();
    let (of_a, of_b) = (expand(terms, a, &mut left)?, expand(terms, b, &mut left)?);
    let most = of_a.0.len() + of_b.0.len();
    let mut difference = of_a;
    difference.add(&of_b, u128::MAX, mask(terms.width(a)));
    let constant = difference.0.get(&Vec::new()).copied().unwrap_or(0);
    let coefficients = difference.0.iter().filter(|(monomial, _)| !monomial.is_empty());
    let common = coefficients.clone().map(|(_, bits)| bits.trailing_zeros()).min();
    match common {
        None => Some(terms.bool(constant == 0)),
        Some(zeros) if constant.trailing_zeros() < zeros => Some(terms.bool(false)),
        Some(_) if difference.0.len() < most && coefficients.clone().all(|(monomial, _)| monomial.len() == 1) => {
            shortened(terms, terms.width(a), &difference)
        }
        Some(_) => None,
    }
}

/// Whether two terms are the same polynomial.
pub(super) fn are_same(terms: &Terms, a: TermId, b: TermId) -> bool {
    let mut left = policy::POLYNOMIAL_OPERATORS.size();
    if !is_arithmetic(terms, a) || !is_arithmetic(terms, b) {
        return false;
    }
    let sides = expand(terms, a, &mut left).zip(expand(terms, b, &mut left));
    sides.is_some_and(|(a, b)| a.0 == b.0)
}

fn is_arithmetic(terms: &Terms, term: TermId) -> bool {
    match terms.node(term) {
        Node::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, ..) => true,
        Node::Binary(BinaryOp::Shl, _, amount) => terms.bits(amount).is_some(),
        Node::Unary(UnaryOp::Neg | UnaryOp::Not, _) => true,
        _ => false,
    }
}

/// A term multiplied out, unless it is too large.
fn expand(terms: &Terms, term: TermId, left: &mut usize) -> Option<Polynomial> {
    *left = left.checked_sub(1)?;
    let mask = mask(terms.width(term));
    let mut result = Polynomial::default();
    match terms.node(term) {
        Node::Const(value) => result.add_monomial(Vec::new(), value.bits, mask),
        Node::Unary(op @ (UnaryOp::Neg | UnaryOp::Not), x) => {
            result.add(&expand(terms, x, left)?, u128::MAX, mask);
            let offset = if op == UnaryOp::Not { u128::MAX } else { 0 };
            result.add_monomial(Vec::new(), offset, mask);
        }
        Node::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), x, y) => {
            result = expand(terms, x, left)?;
            let factor = if op == BinaryOp::Add { 1 } else { u128::MAX };
            result.add(&expand(terms, y, left)?, factor, mask);
        }
        Node::Binary(BinaryOp::Shl, x, amount) if is_arithmetic(terms, term) => {
            let factor = u32::try_from(terms.bits(amount)?).ok().and_then(|amount| 1u128.checked_shl(amount));
            result.add(&expand(terms, x, left)?, factor.unwrap_or(0), mask);
        }
        Node::Binary(BinaryOp::Mul, x, y) => result = expand(terms, x, left)?.times(&expand(terms, y, left)?, mask)?,
        _ => result.add_monomial(vec![term], 1, mask),
    }
    Some(result)
}

impl Polynomial {
    fn add_monomial(&mut self, monomial: Monomial, coefficient: u128, mask: u128) {
        let sum = self.0.get(&monomial).copied().unwrap_or(0).wrapping_add(coefficient) & mask;
        match sum {
            0 => self.0.remove(&monomial),
            _ => self.0.insert(monomial, sum),
        };
    }

    fn add(&mut self, other: &Polynomial, factor: u128, mask: u128) {
        for (monomial, coefficient) in &other.0 {
            self.add_monomial(monomial.clone(), coefficient.wrapping_mul(factor), mask);
        }
    }

    fn times(&self, other: &Polynomial, mask: u128) -> Option<Polynomial> {
        let mut product = Polynomial::default();
        if self.0.len() * other.0.len() > policy::POLYNOMIAL_MONOMIALS.size() {
            return None;
        }
        for (x, a) in &self.0 {
            for (y, b) in &other.0 {
                let mut monomial = [x.as_slice(), y.as_slice()].concat();
                monomial.sort_unstable();
                product.add_monomial(monomial, a.wrapping_mul(*b), mask);
            }
        }
        Some(product)
    }
}

/// `0 == difference`, which is linear: the oldest atom on one side, the others on the other one.
fn shortened(terms: &mut Terms, width: u8, difference: &Polynomial) -> Option<TermId> {
    let mut atoms = difference.0.iter().filter(|(monomial, _)| !monomial.is_empty());
    let (first, coefficient) = atoms.next()?;
    let side = scaled(terms, width, first[0], *coefficient);
    let constant = difference.0.get(&Vec::new()).copied().unwrap_or(0);
    let mut other = terms.int(width, constant.wrapping_neg());
    for (monomial, coefficient) in atoms {
        let part = scaled(terms, width, monomial[0], coefficient.wrapping_neg());
        other = terms.binary(BinaryOp::Add, other, part);
    }
    Some(terms.eq(side, other))
}

fn scaled(terms: &mut Terms, width: u8, atom: TermId, coefficient: u128) -> TermId {
    let coefficient = terms.int(width, coefficient);
    terms.binary(BinaryOp::Mul, atom, coefficient)
}
