//! Polynomial consequences over the integers: refutations of what loops keep, such as `2 * s == n * (n + 1)`.
//!
//! Where machine integers provably do not wrap, they are polynomials of others over the mathematical integers ([`form`]);
//! that a sum is within its type is one of the assertions, so assertions are read as inequalities between polynomials
//! first, and more terms have polynomials then. Equations are brought into echelon form, monomials as columns,
//! together with their products by other monomials ([`ideal`]); a disequality that they reduce to nothing is refuted, and so is
//! an inequality that is left without a solution, by the ranges or by a certified linear program. Choices and disjunctions
//! are tried both ways, a few deep. Parts that multiply numbers come here before any search, others when the first layers have
//! not answered.
//!
//! This is a much smaller relative of Groebner bases as used for loop invariants (Rodriguez-Carbonell and Kapur 2007): products are
//! bounded in degree and number, so that it is fast and may miss a refutation.

mod form;
mod ideal;
mod polynomial;

use crate::policy;
use clew_scalar::{BinaryOp, TernaryOp, Type, UnaryOp};
use rustc_hash::FxHashMap;

use crate::search::Part;
use crate::store::Store;
use crate::term::{Node, TermId, Terms};
use form::{Fact, Forms};

/// Passes in which assertions become facts about more terms.
const PASSES: usize = 3;

/// The parts that are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// Those that multiply numbers which are not known.
    Multiplied,
    /// All.
    Any,
}

/// The positions of assertions that contradict each other, if their polynomials show it.
pub(crate) fn refute(terms: &Terms, store: &Store, part: &Part, numbers: Numbers) -> Option<Vec<usize>> {
    let below = terms.reachable(&part.goals);
    let is_looked_at = numbers == Numbers::Any || below.iter().any(|&term| multiplies(terms, term));
    if below.len() > policy::ALGEBRA_TERMS.size() || !is_looked_at {
        return None;
    }
    let mut case = Case { terms, store, truths: FxHashMap::default(), open: Vec::new(), is_closed: false };
    part.goals.iter().for_each(|&goal| case.assume(goal, true));
    let mut left = policy::ALGEBRA_CASES.get();
    case.refuted(&below, &mut left).then(|| part.assertions.clone())
}

/// Whether a term is a product of two numbers that are not known.
fn multiplies(terms: &Terms, term: TermId) -> bool {
    match terms.node(term) {
        Node::Binary(BinaryOp::Mul, a, b) => terms.bits(a).is_none() && terms.bits(b).is_none(),
        _ => false,
    }
}

/// The assertions with some alternatives decided.
#[derive(Clone)]
struct Case<'a> {
    terms: &'a Terms,
    store: &'a Store,
    truths: FxHashMap<TermId, bool>,
    /// Disjunctions and equivalences with the value they have, of which it is open why.
    open: Vec<(TermId, bool)>,
    is_closed: bool,
}

impl Case<'_> {
    /// Takes for granted that a truth value is what it is.
    fn assume(&mut self, term: TermId, value: bool) {
        let mut pending = vec![(term, value)];
        while let Some((term, value)) = pending.pop() {
            if let Some(known) = self.truth(term) {
                self.is_closed |= known != value;
                if self.truths.contains_key(&term) || self.terms.bits(term).is_some() {
                    continue;
                }
            }
            self.truths.insert(term, value);
            match self.terms.node(term) {
                Node::Unary(UnaryOp::Not, inner) => pending.push((inner, !value)),
                Node::Binary(BinaryOp::And, a, b) if value => pending.extend([(a, value), (b, value)]),
                Node::Binary(BinaryOp::Or, a, b) if !value => pending.extend([(a, value), (b, value)]),
                Node::Binary(BinaryOp::And | BinaryOp::Or, ..) => self.open.push((term, value)),
                Node::Binary(BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Xor, a, _) if self.terms.ty(a) == Type::BOOL => {
                    self.open.push((term, value));
                }
                Node::Ternary(TernaryOp::Select, ..) => self.open.push((term, value)),
                _ => {}
            }
        }
    }

    /// A truth value, if it is decided.
    fn truth(&self, term: TermId) -> Option<bool> {
        let known = self.terms.bits(term).map(|bits| bits == 1).or_else(|| self.truths.get(&term).copied());
        known.or_else(|| match self.terms.node(term) {
            Node::Unary(UnaryOp::Not, inner) => self.truths.get(&inner).map(|value| !value),
            _ => None,
        })
    }

    /// Decides what has one alternative left; gives a truth value that would decide more.
    fn settle(&mut self) -> Option<TermId> {
        let mut wanted = None;
        let mut changed = true;
        while std::mem::take(&mut changed) && !self.is_closed {
            wanted = None;
            for (term, value) in std::mem::take(&mut self.open) {
                match self.terms.node(term) {
                    Node::Binary(BinaryOp::And | BinaryOp::Or, a, b) => match (self.truth(a), self.truth(b)) {
                        (Some(x), _) if x == value => {}
                        (_, Some(y)) if y == value => {}
                        (Some(_), _) => (changed, _) = (true, self.assume(b, value)),
                        (_, Some(_)) => (changed, _) = (true, self.assume(a, value)),
                        (None, None) => {
                            wanted = wanted.or(Some(a));
                            self.open.push((term, value));
                        }
                    },
                    Node::Binary(op, a, b) => {
                        let same = (op == BinaryOp::Eq) == value;
                        match (self.truth(a), self.truth(b)) {
                            (Some(x), _) => (changed, _) = (true, self.assume(b, x == same)),
                            (_, Some(y)) => (changed, _) = (true, self.assume(a, y == same)),
                            (None, None) => {
                                wanted = wanted.or(Some(a));
                                self.open.push((term, value));
                            }
                        }
                    }
                    Node::Ternary(_, condition, then, otherwise) => match self.truth(condition) {
                        Some(true) => (changed, _) = (true, self.assume(then, value)),
                        Some(false) => (changed, _) = (true, self.assume(otherwise, value)),
                        None => {
                            wanted = wanted.or(Some(condition));
                            self.open.push((term, value));
                        }
                    },
                    _ => {}
                }
            }
        }
        wanted
    }

    /// Whether there is no solution, some alternatives tried both ways.
    fn refuted(&mut self, below: &[TermId], left: &mut u64) -> bool {
        let wanted = self.settle();
        if self.is_closed {
            return true;
        }
        let Some(rest) = left.checked_sub(1) else { return false };
        *left = rest;
        let choice = below.iter().find_map(|&term| match self.terms.node(term) {
            Node::Ternary(TernaryOp::Select, condition, ..) if self.truth(condition).is_none() => Some(condition),
            _ => None,
        });
        if self.is_refuted_as_is(below) {
            return true;
        }
        let Some(condition) = choice.or(wanted) else { return false };
        [true, false].into_iter().all(|value| {
            let mut case = self.clone();
            case.assume(condition, value);
            case.refuted(below, left)
        })
    }

    /// Whether the polynomials have no solution.
    fn is_refuted_as_is(&self, below: &[TermId]) -> bool {
        let mut literals: Vec<(TermId, bool)> = self.truths.iter().map(|(term, value)| (*term, *value)).collect();
        literals.sort_unstable();
        let mut facts: Vec<Fact> = Vec::new();
        let mut forms = Forms::new(self.terms, self.store, &self.truths);
        for _ in 0..PASSES {
            forms = forms.knowing(&facts);
            let said = literals.iter().flat_map(|&(term, value)| forms.facts(term, value));
            let found: Vec<Fact> = said.chain(forms.quotients(below)).collect();
            if found == facts {
                break;
            }
            facts = found;
        }
        ideal::refutes(&forms, &facts)
    }
}

#[cfg(test)]
mod tests;
