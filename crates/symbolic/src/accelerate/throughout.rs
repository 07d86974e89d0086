//! What must be the case in every turn, as a condition on the values before the first turn and on their number.
//!
//! A sequence of degree one lies between its first and its last value; one of a higher degree does where it only grows or
//! only falls, which is asked of its growth in turn. The condition is sufficient: what it leaves out is left to the paths
//! that make the turns one by one. Integers are compared in a width in which none of them can overflow.

use clew_scalar::BinaryOp;
use clew_solver::term::{TermId, Terms};

use super::polynomial::{Atom, Polynomial, Signedness};
use super::recurrence::Solution;
use super::sequence::{Sequence, polynomial};
use super::turn::{Comparison, Demand};

/// Asks for conditions that hold in every turn.
pub(super) struct Throughout<'a> {
    pub(super) terms: &'a mut Terms,
    pub(super) solution: &'a Solution,
    /// The number of turns, at least one.
    pub(super) turns: TermId,
}

impl Throughout<'_> {
    /// That a demand is met in every turn.
    pub(super) fn demand(&mut self, demand: &Demand) -> Option<TermId> {
        match demand {
            Demand::Fits(value, width) => {
                let sequence = self.solution.sequence(value)?.read(Signedness::Signed)?;
                self.in_range(&sequence, *width, Signedness::Signed)
            }
            Demand::Keeps(value, width, signedness) => {
                let sequence = self.solution.sequence(value)?.read(*signedness)?;
                self.in_range(&sequence, *width, *signedness)
            }
            Demand::Holds(comparison, truth) => self.holds(comparison, *truth),
        }
    }

    /// That a comparison has another result after the last turn.
    pub(super) fn ends(&mut self, comparison: &Comparison, truth: bool) -> Option<TermId> {
        let mut after = |value: &Polynomial| {
            let sequence = self.solution.sequence(value)?;
            Some(sequence.after(self.terms, comparison.width, self.turns))
        };
        let (a, b) = (after(&comparison.operands[0])?, after(&comparison.operands[1])?);
        let holds = self.terms.binary(comparison.op, a, b);
        Some(if truth { self.terms.not(holds) } else { holds })
    }

    fn holds(&mut self, comparison: &Comparison, truth: bool) -> Option<TermId> {
        let [a, b] = &comparison.operands;
        let (first, second) = (self.solution.sequence(a)?, self.solution.sequence(b)?);
        let width = comparison.width;
        if let Some((is_turned, by, signedness)) = ordered(comparison.op, truth) {
            let (less, more) = if is_turned { (&second, &first) } else { (&first, &second) };
            return self.less(less, more, by, (width, signedness));
        }
        match (comparison.op, truth) {
            (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => self.equal(&first, &second, width),
            (BinaryOp::Ne, true) | (BinaryOp::Eq, false) => self.different(&first, &second, width),
            _ => None,
        }
    }

    /// `first + by <= second`
    fn less(
        &mut self,
        first: &Sequence,
        second: &Sequence,
        by: i128,
        (width, signedness): (u8, Signedness),
    ) -> Option<TermId> {
        let (first, second) = (read(first, width, signedness)?, read(second, width, signedness)?);
        let (fits, also) = (self.in_range(&first, width, signedness)?, self.in_range(&second, width, signedness)?);
        let distance = second.plus(&first, -1)?.shifted(-by)?;
        let holds = self.not_negative(&distance)?;
        Some(self.all(&[fits, also, holds]))
    }

    fn equal(&mut self, first: &Sequence, second: &Sequence, width: u8) -> Option<TermId> {
        let distance = second.plus(first, -1)?;
        let zero = self.terms.int(width, 0);
        let mut all = Vec::new();
        for coefficient in std::iter::once(distance.first()).chain(distance.later()) {
            let value = polynomial(self.terms, width, coefficient);
            all.push(self.terms.eq(value, zero));
        }
        Some(self.all(&all))
    }

    /// Always less, or always greater. As unsigned integers, or where that leaves one out, as signed ones.
    fn different(&mut self, first: &Sequence, second: &Sequence, width: u8) -> Option<TermId> {
        let distance = second.plus(first, -1)?;
        if distance.degree() == 0 {
            let zero = self.terms.int(width, 0);
            let value = polynomial(self.terms, width, distance.first());
            return Some(self.terms.binary(BinaryOp::Ne, value, zero));
        }
        let mut any = self.terms.bool(false);
        for signedness in [Signedness::Signed, Signedness::Unsigned] {
            let below = self.less(first, second, 1, (width, signedness))?;
            let above = self.less(second, first, 1, (width, signedness))?;
            any = self.terms.or(any, below);
            any = self.terms.or(any, above);
        }
        Some(any)
    }

    /// That a width can represent every value.
    fn in_range(&mut self, sequence: &Sequence, width: u8, signedness: Signedness) -> Option<TermId> {
        if sequence.degree() == 0
            && let Some(symbol) = sequence.first().symbol()
            && symbol.signedness == signedness
            && let Atom::Fixed(term) = symbol.atom
            && self.terms.width(term) <= width
        {
            return Some(self.terms.bool(true));
        }
        let (least, most) = match signedness {
            Signedness::Unsigned => (0, (1i128 << width.min(126)) - 1),
            _ => (-1i128 << (width - 1).min(126), (1i128 << (width - 1).min(126)) - 1),
        };
        let above = sequence.shifted(-least)?;
        let below = Sequence::fixed(Polynomial::constant(most)).plus(sequence, -1)?;
        if sequence.degree() <= 1 {
            let (above, below) = (self.not_negative(&above)?, self.not_negative(&below)?);
            return Some(self.terms.and(above, below));
        }
        let mut all = vec![self.is_monotone(sequence)?];
        for side in [above, below] {
            all.push(self.first_not_negative(&side)?);
            all.push(self.last_not_negative(&side)?);
        }
        Some(self.all(&all))
    }

    /// That a sequence only grows or only falls.
    fn is_monotone(&mut self, sequence: &Sequence) -> Option<TermId> {
        let growth = sequence.growth()?;
        let falls = self.not_negative(&Sequence::fixed(Polynomial::default()).plus(&growth, -1)?)?;
        let grows = self.not_negative(&growth)?;
        Some(self.terms.or(grows, falls))
    }

    /// That no value is negative.
    fn not_negative(&mut self, sequence: &Sequence) -> Option<TermId> {
        let first = self.first_not_negative(sequence)?;
        let rest = match sequence.degree() {
            0 => return Some(first),
            1 => self.last_not_negative(sequence)?,
            _ => self.not_negative(&sequence.growth()?)?,
        };
        Some(self.terms.and(first, rest))
    }

    fn first_not_negative(&mut self, sequence: &Sequence) -> Option<TermId> {
        self.last_not_negative(&Sequence::fixed(sequence.first().clone()))
    }

    /// That the value before the last turn is not negative.
    fn last_not_negative(&mut self, sequence: &Sequence) -> Option<TermId> {
        let last = sequence.before()?;
        let width = last.exact_width(self.terms)?;
        let value = last.after(self.terms, width, self.turns);
        let zero = self.terms.int(width, 0);
        Some(self.terms.binary(BinaryOp::Sle, zero, value))
    }

    fn all(&mut self, conditions: &[TermId]) -> TermId {
        let start = self.terms.bool(true);
        conditions.iter().fold(start, |all, condition| self.terms.and(all, *condition))
    }
}

/// What a comparison with a result says as `first + by <= second`: whether the operands change places, by how much the one
/// is less, and how they are read.
pub(super) fn ordered(op: BinaryOp, truth: bool) -> Option<(bool, i128, Signedness)> {
    match (op, truth) {
        (BinaryOp::Slt, true) => Some((false, 1, Signedness::Signed)),
        (BinaryOp::Slt, false) => Some((true, 0, Signedness::Signed)),
        (BinaryOp::Sle, true) => Some((false, 0, Signedness::Signed)),
        (BinaryOp::Sle, false) => Some((true, 1, Signedness::Signed)),
        (BinaryOp::Ult, true) => Some((false, 1, Signedness::Unsigned)),
        (BinaryOp::Ult, false) => Some((true, 0, Signedness::Unsigned)),
        (BinaryOp::Ule, true) => Some((false, 0, Signedness::Unsigned)),
        (BinaryOp::Ule, false) => Some((true, 1, Signedness::Unsigned)),
        _ => None,
    }
}

/// A sequence whose values are read like this; one that begins with a number begins within the width.
pub(super) fn read(sequence: &Sequence, width: u8, signedness: Signedness) -> Option<Sequence> {
    let sequence = sequence.read(signedness)?;
    match sequence.first().number() {
        Some(first) if signedness == Signedness::Unsigned && width <= 64 => {
            sequence.shifted(first.rem_euclid(1 << width) - first)
        }
        _ => Some(sequence),
    }
}
