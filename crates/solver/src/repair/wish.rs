//! What the operands of a term would have to be, one of them at a time, for the term to have a value.
//!
//! A wish is only a proposal: evaluation judges what comes of it. Floats are left to other layers.

use crate::policy;
use clew_scalar::{BinaryOp, Conversion, TernaryOp, UnaryOp, Value};

use super::Repair;
use crate::domain::int::{inverse, low};
use crate::evaluate;
use crate::term::{Node, Sort, TermId, mask};

/// Terms and the bits they are wished to have, the likeliest first.
type Wishes = Vec<(TermId, u128)>;

impl Repair<'_> {
    /// Adds the wishes that would give a term some bits.
    pub(super) fn wish(&mut self, term: TermId, bits: u128, wishes: &mut Wishes) {
        let terms = self.task.terms;
        let is_condition = terms.sort(term) == Sort::BOOL;
        match terms.node(term) {
            Node::Unary(UnaryOp::Not, a) => wishes.push((a, !bits & mask(terms.width(a)))),
            Node::Unary(UnaryOp::Neg, a) => wishes.push((a, bits.wrapping_neg() & mask(terms.width(a)))),
            Node::Binary(op, a, b) if is_condition && terms.sort(a) == Sort::BOOL => {
                self.connect(op, a, b, bits != 0, wishes);
            }
            Node::Binary(op, a, b) if is_condition => self.compare(op, a, b, bits != 0, wishes),
            Node::Binary(op, a, b) => self.compute(op, a, b, bits, wishes),
            Node::Ternary(TernaryOp::Select, condition, a, b) => self.choose(condition, a, b, bits, wishes),
            Node::Convert(op @ (Conversion::ZeroExtend(_) | Conversion::SignExtend(_)), a) => {
                let narrow = Value::int(terms.width(a), bits);
                if evaluate::convert(op, narrow).bits == bits {
                    wishes.push((a, narrow.bits));
                }
            }
            Node::Extract { hi, lo, of } => {
                let slice = mask(hi - lo + 1) << lo;
                let kept = self.bits(of) & !slice;
                wishes.push((of, kept | bits << lo));
            }
            Node::Concat(a, b) => {
                let below = terms.width(b);
                wishes.extend([(a, bits >> below), (b, bits & mask(below))]);
            }
            Node::Lookup(table, index) => {
                let entries = (0..=mask(terms.width(index))).zip(terms.entries(table).all());
                let places = entries.filter(|&(_, &entry)| entry == bits).map(|(place, _)| (index, place));
                wishes.extend(places.take(policy::REPAIR_ENTRIES.size()));
            }
            _ => {}
        }
    }

    /// A connective of conditions.
    fn connect(&mut self, op: BinaryOp, a: TermId, b: TermId, truth: bool, wishes: &mut Wishes) {
        let [now_a, now_b] = [a, b].map(|term| self.bits(term) != 0);
        match op {
            BinaryOp::And | BinaryOp::Or => {
                let unmet = [(a, now_a), (b, now_b)].into_iter().filter(|&(_, now)| now != truth);
                wishes.extend(unmet.map(|(term, _)| (term, u128::from(truth))));
            }
            BinaryOp::Eq => wishes.extend([(a, u128::from(now_b == truth)), (b, u128::from(now_a == truth))]),
            BinaryOp::Xor | BinaryOp::Ne => {
                wishes.extend([(a, u128::from(now_b != truth)), (b, u128::from(now_a != truth))]);
            }
            _ => {}
        }
    }

    /// A comparison of integers: the nearest values that decide it.
    fn compare(&mut self, op: BinaryOp, a: TermId, b: TermId, truth: bool, wishes: &mut Wishes) {
        let Sort::Scalar(clew_scalar::Type::Int(width)) = self.task.terms.sort(a) else { return };
        let greatest = mask(width);
        let [now_a, now_b] = [a, b].map(|term| self.bits(term));
        let flip = if op == BinaryOp::Slt { greatest ^ greatest >> 1 } else { 0 };
        match (op, truth) {
            (BinaryOp::Eq, true) => wishes.extend([(a, now_b), (b, now_a)]),
            (BinaryOp::Eq, false) => {
                let beside = [now_a.wrapping_add(1), now_a.wrapping_sub(1)].map(|bits| bits & greatest);
                wishes.extend([(a, beside[0]), (a, beside[1]), (b, beside[0]), (b, beside[1])]);
            }
            // In the order of the comparison the integers are zero to the greatest.
            (BinaryOp::Ult | BinaryOp::Slt, true) => {
                let below = (now_b ^ flip).checked_sub(1).map(|place| (a, place ^ flip));
                let above = (now_a ^ flip != greatest).then(|| (b, ((now_a ^ flip) + 1) ^ flip));
                wishes.extend(below.into_iter().chain(above));
            }
            (BinaryOp::Ult | BinaryOp::Slt, false) => wishes.extend([(a, now_b), (b, now_a)]),
            _ => {}
        }
    }

    /// An operator of two integers, inverted for either operand.
    fn compute(&mut self, op: BinaryOp, a: TermId, b: TermId, wish: u128, wishes: &mut Wishes) {
        let Sort::Scalar(clew_scalar::Type::Int(width)) = self.task.terms.sort(a) else { return };
        let [now_a, now_b] = [a, b].map(|term| self.bits(term));
        if op == BinaryOp::Mul && a == b {
            wishes.push((a, wish.isqrt()));
            return;
        }
        let left = inverted(op, width, now_a, now_b, wish);
        let right = match op {
            BinaryOp::Sub => [Some(now_a.wrapping_sub(wish)), None],
            BinaryOp::Add | BinaryOp::Xor | BinaryOp::And | BinaryOp::Or | BinaryOp::Mul => {
                inverted(op, width, now_b, now_a, wish)
            }
            _ => [None; 2],
        };
        for (operand, found) in [(a, left), (b, right)] {
            wishes.extend(found.into_iter().flatten().map(|bits| (operand, bits & mask(width))));
        }
    }

    /// A choice: the branch taken, the other one, whose condition may then hold as well, or the condition alone.
    fn choose(&mut self, condition: TermId, a: TermId, b: TermId, wish: u128, wishes: &mut Wishes) {
        if !matches!(self.task.terms.sort(a), Sort::Scalar(_)) {
            return;
        }
        let now = self.bits(condition);
        let (taken, other) = if now != 0 { (a, b) } else { (b, a) };
        let turned = (condition, 1 - now);
        if self.bits(other) == wish {
            wishes.extend([turned, (taken, wish)]);
        } else {
            wishes.extend([(taken, wish), (other, wish), turned]);
        }
    }
}

/// First operands for which the operator gives the wished result, near the present one where there is a choice, or results
/// beside it where it cannot.
fn inverted(op: BinaryOp, width: u8, now: u128, other: u128, wish: u128) -> [Option<u128>; 2] {
    let is_distance = other < u128::from(width);
    let only = match op {
        BinaryOp::Add => Some(wish.wrapping_sub(other)),
        BinaryOp::Sub => Some(wish.wrapping_add(other)),
        BinaryOp::Xor => Some(wish ^ other),
        BinaryOp::And => {
            let kept = now & !other;
            // The next number above that has no other bits.
            let above = (wish & !other != 0).then(|| kept | (wish | !other).wrapping_add(1) & other);
            return [above, Some(kept | wish & other)];
        }
        BinaryOp::Or => (other & !wish == 0).then_some(now & other | wish & !other),
        BinaryOp::Mul => return [exact_quotient(width, other, wish), signed_quotient(width, wish, other)],
        BinaryOp::UDiv | BinaryOp::SDiv => Some(wish.wrapping_mul(other)),
        BinaryOp::URem => (wish < other).then(|| (now - now % other).wrapping_add(wish)),
        BinaryOp::Shl if is_distance => {
            let free = !(mask(width) >> other);
            Some(now & free | wish >> other)
        }
        BinaryOp::LShr | BinaryOp::AShr if is_distance => Some(wish << other | now & low(other as u32)),
        _ => None,
    };
    [only, None]
}

/// The least factor that makes a product, modulo two to the width.
fn exact_quotient(width: u8, factor: u128, product: u128) -> Option<u128> {
    let zeros = factor.trailing_zeros();
    let divides = factor != 0 && product.trailing_zeros() >= zeros;
    divides.then(|| (product >> zeros).wrapping_mul(inverse(factor >> zeros)) & mask(width) >> zeros)
}

/// The quotient of signed numbers.
fn signed_quotient(width: u8, product: u128, factor: u128) -> Option<u128> {
    let [product, factor] = [product, factor].map(|bits| Value::int(width, bits).signed());
    product.checked_div(factor).map(|quotient| quotient as u128)
}
