//! Variables given by what is asserted about them.
//!
//! An assertion that holds for ever and says that a variable equals a term makes the variable that term: it needs no
//! gates of its own, and everything built on it folds with the term. Programs in single-assignment form consist of
//! little else. A definition that leads back to its own variable is cut there; its equation is asserted like any other
//! (all are: those of bound variables fold to true).

use clew_scalar::{BinaryOp, Conversion, UnaryOp};
use rustc_hash::FxHashMap;

use crate::term::{Node, Sort, TermId, Terms};

/// What a variable equals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Term(TermId),
    /// A float, by the integer of its bits.
    Bits(TermId),
    Truth(bool),
}

impl Meaning {
    fn term(self) -> Option<TermId> {
        match self {
            Meaning::Term(term) | Meaning::Bits(term) => Some(term),
            Meaning::Truth(_) => None,
        }
    }
}

/// How far a variable has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Not met yet.
    Idle,
    /// Its term is being encoded.
    Active,
}

/// The variables that are waiting to be met, and those that have been bound.
#[derive(Default)]
pub(super) struct Bindings {
    waiting: FxHashMap<TermId, (Meaning, State)>,
    /// In the order in which they were bound: each term is over free variables and earlier ones.
    pub(super) bound: Vec<(TermId, Meaning)>,
}

impl Bindings {
    /// Notes the variable that an assertion defines, if it does; `is_met` tells the ones that have gates already.
    pub(super) fn note(&mut self, terms: &Terms, assertion: TermId, is_met: impl Fn(TermId) -> bool) {
        for (variable, meaning) in definitions(terms, assertion) {
            if !is_met(variable) && !self.waiting.contains_key(&variable) {
                self.waiting.insert(variable, (meaning, State::Idle));
                return;
            }
        }
    }

    /// The term that has to be encoded before a variable that equals it, unless that has begun.
    pub(super) fn first(&mut self, variable: TermId, is_met: impl Fn(TermId) -> bool) -> Option<TermId> {
        let (meaning, state) = self.waiting.get_mut(&variable)?;
        let term = meaning.term().filter(|&term| !is_met(term))?;
        let begun = std::mem::replace(state, State::Active) == State::Active;
        (!begun).then_some(term)
    }

    /// What a variable equals, if that has been encoded; otherwise the variable is free.
    pub(super) fn bind(&mut self, variable: TermId, is_met: impl Fn(TermId) -> bool) -> Option<Meaning> {
        let &(meaning, _) = self.waiting.get(&variable)?;
        if !meaning.term().is_none_or(is_met) {
            return None;
        }
        self.bound.push((variable, meaning));
        Some(meaning)
    }
}

/// The parts of a conjunction.
pub(super) fn conjuncts(terms: &Terms, assertion: TermId) -> Vec<TermId> {
    let mut parts = Vec::new();
    let mut pending = vec![assertion];
    while let Some(term) = pending.pop() {
        match terms.node(term) {
            Node::Binary(BinaryOp::And, a, b) if terms.sort(term) == Sort::BOOL => pending.extend([b, a]),
            _ => parts.push(term),
        }
    }
    parts
}

/// The ways to read an assertion as a definition of a scalar variable.
fn definitions(terms: &Terms, assertion: TermId) -> Vec<(TermId, Meaning)> {
    let is_variable = |term: TermId| matches!(terms.node(term), Node::Var(_));
    match terms.node(assertion) {
        Node::Var(_) => vec![(assertion, Meaning::Truth(true))],
        Node::Unary(UnaryOp::Not, negated) if is_variable(negated) => vec![(negated, Meaning::Truth(false))],
        Node::Binary(BinaryOp::Eq, a, b) => {
            let both = [equation(terms, a, b), equation(terms, b, a)];
            both.into_iter().filter(|&(variable, _)| is_variable(variable)).collect()
        }
        _ => Vec::new(),
    }
}

/// `a = b` as a definition of `a`, or of the float whose bits `a` is.
fn equation(terms: &Terms, a: TermId, b: TermId) -> (TermId, Meaning) {
    match (float_of_bits(terms, a), float_of_bits(terms, b)) {
        (Some(a), Some(b)) => (a, Meaning::Term(b)),
        (Some(a), None) => (a, Meaning::Bits(b)),
        (None, _) => (a, Meaning::Term(b)),
    }
}

fn float_of_bits(terms: &Terms, term: TermId) -> Option<TermId> {
    match terms.node(term) {
        Node::Convert(Conversion::FloatToBits, float) => Some(float),
        _ => None,
    }
}
