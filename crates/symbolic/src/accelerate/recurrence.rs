//! What variables hold before each turn, from what one turn makes of them.
//!
//! A variable that a turn leaves alone is fixed. One to which a turn adds something known is the sum of what was added.
//! One that a turn gives something known holds what the turn before gave it. These three are sequences, found one after the
//! other until no more is known. One that is multiplied by a number is known only where nothing else depends on it: its
//! value after the last turn is computed from the bits of the number of turns.

use clew_scalar::BinaryOp;
use clew_solver::term::{TermId, Terms};

use super::polynomial::{Atom, Polynomial};
use super::sequence::{MOST_TURN_BITS, Sequence, TURN_BITS, polynomial};
use super::turn::{Variable, fixed};

/// What is known of a variable.
#[derive(Clone, Debug)]
pub(super) enum Closed {
    /// What it holds before each turn.
    Sequence(Sequence),
    /// In each turn it is multiplied by a number, and something fixed is added.
    Affine(i128, Polynomial),
}

/// What is known of all variables of a turn, if all of them are known. Some hold what the turn before gave them only if it
/// did: these are given with it.
pub(super) fn solve(results: &[Polynomial], variables: &[Variable]) -> Option<Solution> {
    let entries: Vec<Polynomial> = variables.iter().map(|variable| fixed(variable.entry)).collect();
    let mut solution = Solution { closed: vec![None; variables.len()], assumed: Vec::new() };
    loop {
        let known = solution.known();
        for (number, entry) in entries.iter().enumerate() {
            if solution.closed[number].is_none() {
                solution.closed[number] = solution.one(&results[number], number, entry);
            }
        }
        if solution.known() == variables.len() {
            return Some(solution);
        }
        if solution.known() == known {
            return None;
        }
    }
}

/// The variables of a turn, as far as they are known.
#[derive(Debug)]
pub(super) struct Solution {
    closed: Vec<Option<Closed>>,
    /// Variables with what they must hold where the summary begins.
    pub(super) assumed: Vec<(usize, Polynomial)>,
}

impl Solution {
    fn known(&self) -> usize {
        self.closed.iter().flatten().count()
    }

    fn one(&mut self, result: &Polynomial, number: usize, entry: &Polynomial) -> Option<Closed> {
        let (factor, rest) = result.split(number)?;
        if rest.entries().any(|other| other == number) {
            return None;
        }
        let rest = self.sequence(&rest)?;
        match factor {
            1 => rest.summed(entry.clone()).map(Closed::Sequence),
            0 => {
                let before = rest.before()?;
                self.assumed.push((number, before.first().clone()));
                Some(Closed::Sequence(before))
            }
            _ => (rest.degree() == 0).then(|| Closed::Affine(factor, rest.first().clone())),
        }
    }

    /// What a polynomial over the values before a turn is in each turn.
    pub(super) fn sequence(&self, value: &Polynomial) -> Option<Sequence> {
        let mut sum = Sequence::fixed(Polynomial::default());
        for (product, coefficient) in value.products() {
            let mut term = Sequence::fixed(Polynomial::constant(coefficient));
            for symbol in product {
                let factor = match symbol.atom {
                    Atom::Fixed(_) => Sequence::fixed(Polynomial::atom(symbol.atom).read(symbol.signedness)?),
                    Atom::Entry(variable) => match self.closed[variable].as_ref()? {
                        Closed::Sequence(sequence) => sequence.read(symbol.signedness)?,
                        Closed::Affine(..) => return None,
                    },
                };
                term = term.product(&factor)?;
            }
            sum = sum.plus(&term, 1)?;
        }
        Some(sum)
    }

    /// What a variable holds after so many turns.
    pub(super) fn after(&self, terms: &mut Terms, number: usize, variable: &Variable, turns: TermId) -> TermId {
        match self.closed[number].as_ref().expect("a solution knows all variables") {
            Closed::Sequence(sequence) => sequence.after(terms, variable.width, turns),
            Closed::Affine(factor, added) => affine(terms, variable, (*factor, added), turns),
        }
    }
}

/// `x -> factor * x + added`, so many times: for each bit of the number of turns either as often as it says, or not at all.
fn affine(terms: &mut Terms, variable: &Variable, (factor, added): (i128, &Polynomial), turns: TermId) -> TermId {
    let width = variable.width;
    let added = polynomial(terms, width, added);
    let mut value = variable.entry.term(terms);
    // Twice as many turns multiply by the square, and add what was added as often again.
    let (mut factor, mut times) = (factor as u128, 1u128);
    for bit in 0..MOST_TURN_BITS {
        let (own_factor, own_times) = (terms.int(width, factor), terms.int(width, times));
        let grown = terms.binary(BinaryOp::Mul, value, own_factor);
        let more = terms.binary(BinaryOp::Mul, added, own_times);
        let grown = terms.binary(BinaryOp::Add, grown, more);
        debug_assert!(bit < TURN_BITS, "the bits of a number of turns");
        let is_set = terms.extract(bit, bit, turns);
        value = terms.select(is_set, grown, value);
        times = times.wrapping_mul(factor.wrapping_add(1));
        factor = factor.wrapping_mul(factor);
    }
    value
}
