//! How a term compares with its own operands: `x & y <= x`, `x <= x | y`, `x < x + 1` where that does not overflow.
//!
//! Some of it holds always, some only for what the domains leave of the operands; then the edge rests on these.
//!
//! Not seen: extensions and slices, for an operand of another width is in no order with its term.

use clew_scalar::BinaryOp;

use super::{Order, Why};
use crate::domain::int::IntDomain;
use crate::store::{Domain, Store};
use crate::term::{Node, TermId, Terms};

/// An edge from the lesser to the greater term.
pub(super) struct Step {
    pub(super) order: Order,
    pub(super) lesser: TermId,
    pub(super) greater: TermId,
    pub(super) strict: bool,
    pub(super) why: Why,
}

/// How a term compares with its operands; nothing where it is not an integer made of two.
pub(super) fn steps(terms: &Terms, store: &Store, term: TermId) -> Vec<Step> {
    let Node::Binary(op, a, b) = terms.node(term) else { return Vec::new() };
    let (Some(x), Some(y)) = (integers(terms, store, a), integers(terms, store, b)) else { return Vec::new() };
    compare(op, term, (a, &x), (b, &y))
}

/// How the result of an operator compares with its operands, which have a domain each.
fn compare(op: BinaryOp, term: TermId, (a, x): (TermId, &IntDomain), (b, y): (TermId, &IntDomain)) -> Vec<Step> {
    let mut found = Found { term, why: Why::Domains(a, b), steps: Vec::new() };
    match op {
        BinaryOp::And => {
            found.at_most(a, Why::Always, is_natural(x) || is_negative(y));
            found.at_most(b, Why::Always, is_natural(y) || is_negative(x));
        }
        BinaryOp::Or => {
            found.at_least(a, is_natural(y) || is_negative(x));
            found.at_least(b, is_natural(x) || is_negative(y));
        }
        BinaryOp::LShr => found.at_most(a, Why::Always, is_natural(x)),
        BinaryOp::URem => {
            found.at_most(a, Why::Always, is_natural(x));
            found.push(y.unsigned_min() > 0, Order::Unsigned, term, b, true);
        }
        BinaryOp::UDiv if y.unsigned_min() > 0 => found.at_most(a, found.why, is_natural(x)),
        BinaryOp::Add => {
            found.sum(a, x, y);
            found.sum(b, y, x);
        }
        BinaryOp::Sub => found.difference(a, x, y),
        _ => {}
    }
    found.steps
}

/// The integers that a term may be.
fn integers(terms: &Terms, store: &Store, term: TermId) -> Option<IntDomain> {
    if let Node::Const(value) = terms.node(term) {
        let Domain::Int(domain) = Domain::singleton(value) else { return None };
        return Some(domain);
    }
    let Domain::Int(domain) = store.domain(store.slot(term)?) else { return None };
    Some(*domain)
}

fn is_natural(domain: &IntDomain) -> bool {
    domain.signed_min() >= 0
}

fn is_negative(domain: &IntDomain) -> bool {
    domain.signed_max() < 0
}

/// The least and the greatest signed number of a domain's width.
fn signed_range(domain: &IntDomain) -> (i128, i128) {
    let greatest = (domain.mask() >> 1) as i128;
    (-greatest - 1, greatest)
}

struct Found {
    term: TermId,
    /// The reason of what is not always so.
    why: Why,
    steps: Vec<Step>,
}

impl Found {
    fn push(&mut self, holds: bool, order: Order, lesser: TermId, greater: TermId, strict: bool) {
        let why = self.why;
        self.steps.extend(holds.then_some(Step { order, lesser, greater, strict, why }));
    }

    /// The term is at most an operand: unsigned, and signed where the two have the same sign.
    fn at_most(&mut self, operand: TermId, why: Why, signed: bool) {
        let order = Order::Unsigned;
        self.steps.push(Step { order, lesser: self.term, greater: operand, strict: false, why });
        self.push(signed, Order::Signed, self.term, operand, false);
    }

    /// An operand is always at most the term: unsigned, and signed where the two have the same sign.
    fn at_least(&mut self, operand: TermId, signed: bool) {
        let order = Order::Unsigned;
        self.steps.push(Step { order, lesser: operand, greater: self.term, strict: false, why: Why::Always });
        self.push(signed, Order::Signed, operand, self.term, false);
    }

    /// The term is the sum of an operand, which has a domain, and something in another domain.
    fn sum(&mut self, operand: TermId, x: &IntDomain, y: &IntDomain) {
        let (least, greatest) = signed_range(x);
        let above =
            y.signed_min() >= 0 && x.signed_max().checked_add(y.signed_max()).is_some_and(|sum| sum <= greatest);
        self.push(above, Order::Signed, operand, self.term, y.signed_min() > 0);
        let below = y.signed_max() <= 0 && x.signed_min().checked_add(y.signed_min()).is_some_and(|sum| sum >= least);
        self.push(below, Order::Signed, self.term, operand, y.signed_max() < 0);
        let room = x.mask() - x.unsigned_max();
        self.push(y.unsigned_max() <= room, Order::Unsigned, operand, self.term, y.unsigned_min() > 0);
        // What always goes round by less than a whole turn ends below its start.
        self.push(y.unsigned_min() > x.mask() - x.unsigned_min(), Order::Unsigned, self.term, operand, true);
    }

    /// The term is an operand, which has a domain, minus something in another domain.
    fn difference(&mut self, operand: TermId, x: &IntDomain, y: &IntDomain) {
        let (least, greatest) = signed_range(x);
        let below = y.signed_min() >= 0 && x.signed_min().checked_sub(y.signed_max()).is_some_and(|rest| rest >= least);
        self.push(below, Order::Signed, self.term, operand, y.signed_min() > 0);
        let above =
            y.signed_max() <= 0 && x.signed_max().checked_sub(y.signed_min()).is_some_and(|rest| rest <= greatest);
        self.push(above, Order::Signed, operand, self.term, y.signed_max() < 0);
        self.push(x.unsigned_min() >= y.unsigned_max(), Order::Unsigned, self.term, operand, y.unsigned_min() > 0);
    }
}

#[cfg(test)]
mod tests {
    use clew_scalar::{BinaryOp, Type, eval};

    use super::super::{Order, Why};
    use super::compare;
    use crate::domain::int::{IntDomain, Interval};
    use crate::term::Terms;

    const WIDTH: u8 = 3;

    /// All clockwise intervals.
    fn domains() -> Vec<IntDomain> {
        let ends = (0..8).flat_map(|lo| (0..8).map(move |hi| Interval::new(lo, hi, 7)));
        ends.map(|interval| IntDomain::from_interval(WIDTH, interval)).collect()
    }

    /// Whether one number is less than another, or as great and that is enough.
    fn in_order(order: Order, [lesser, greater]: [u128; 2], strict: bool) -> bool {
        // The signed order is the unsigned one with the sign bit flipped.
        let key = |bits: u128| if order == Order::Signed { bits ^ 4 } else { bits };
        key(lesser) < key(greater) || (!strict && lesser == greater)
    }

    /// Checks all steps of an operator on all values of all intervals; how many there are.
    fn check(op: BinaryOp) -> usize {
        let mut terms = Terms::new();
        let [a, b, term] = ["a", "b", "term"].map(|name| terms.int_var(name, WIDTH));
        let (domains, all) = (domains(), IntDomain::top(WIDTH));
        let mut count = 0;
        for (x, y) in domains.iter().flat_map(|x| domains.iter().map(move |y| (x, y))) {
            for step in compare(op, term, (a, x), (b, y)) {
                let always = matches!(step.why, Why::Always);
                let (x, y) = if always { (&all, &all) } else { (x, y) };
                for (left, right) in x.values().flat_map(|left| y.values().map(move |right| (left, right))) {
                    let result = eval::binary_bits(op, Type::Int(WIDTH), left, right);
                    let value = |of| [(a, left), (b, right), (term, result)].into_iter().find(|&(is, _)| is == of);
                    let ends = [step.lesser, step.greater].map(|of| value(of).expect("it is one of the three").1);
                    assert!(in_order(step.order, ends, step.strict), "{op:?} of {left} in {x:?} and {right} in {y:?}");
                }
                count += 1;
            }
        }
        count
    }

    #[test]
    fn every_step_holds_for_all_small_numbers() {
        let operators = [BinaryOp::And, BinaryOp::Or, BinaryOp::LShr, BinaryOp::URem, BinaryOp::UDiv];
        for op in operators.into_iter().chain([BinaryOp::Add, BinaryOp::Sub]) {
            assert!(check(op) > 500, "{op:?} is rarely in order with its operands");
        }
        assert_eq!(check(BinaryOp::Mul), 0);
    }
}
