//! Quotients: values that are a linear form divided by a number, rounded down.
//!
//! No linear form is the middle `(l + u) / 2` of two bounds, but its distances from them are bounded by one: `m - l` is
//! `(u - l) / 2` rounded down. When a quotient is stored, these distances go to the octagon.

use super::cell::Key;
use super::engine::Engine;
use super::form::Form;
use super::state::{State, range};
use super::transfer::Walk;
use super::value::Abs;
use clew_ir::{Operand, Program};
use clew_scalar::BinaryOp;
use clew_solver::domain::Conflict;
use clew_solver::domain::int::IntDomain;

/// Divisors are at most two to the power of this.
const MOST_SHIFT: u128 = 62;

/// A form divided by a positive number and rounded down, in mathematical integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Quotient {
    pub(crate) form: Form,
    pub(crate) by: i128,
    /// Whether the value it is of is read as signed.
    pub(crate) signed: bool,
}

/// The range of the difference between a value and a cell.
pub(crate) type Distance = (Key, i128, i128);

impl Quotient {
    /// The range it has in a state.
    pub(crate) fn range(&self, program: &Program, state: &State) -> Option<(i128, i128)> {
        let (least, most) = state.bounds(program, &self.form)?;
        Some((least.div_euclid(self.by), most.div_euclid(self.by)))
    }

    /// How far it is from each of its cells but the one that it is stored to.
    pub(crate) fn distances(&self, program: &Program, state: &State, to: Key) -> Vec<Distance> {
        let distance = |key: Key| {
            let less = self.form.minus(&Form::cell(key).times(self.by)?)?;
            let (least, most) = state.bounds(program, &less)?;
            Some((key, least.div_euclid(self.by), most.div_euclid(self.by)))
        };
        self.form.terms.iter().filter(|(key, _)| *key != to).filter_map(|(key, _)| distance(*key)).collect()
    }

    /// The sum or difference with a form.
    fn moved(&self, op: BinaryOp, form: &Form) -> Option<Quotient> {
        let scaled = form.times(self.by)?;
        let form = if op == BinaryOp::Add { self.form.plus(&scaled) } else { self.form.minus(&scaled) }?;
        Some(Quotient { form, ..self.clone() })
    }
}

impl State {
    /// Takes for granted how far a cell is from others.
    pub(crate) fn keep_apart(&mut self, program: &Program, key: Key, distances: &[Distance]) -> Result<(), Conflict> {
        for (other, least, most) in distances {
            let Some(difference) = Form::cell(key).minus(&Form::cell(*other)) else { continue };
            self.assume(program, &Form { constant: -most, ..difference.clone() })?;
            self.assume(program, &Form { constant: *least, ..difference.negated() })?;
        }
        Ok(())
    }
}

impl Engine<'_> {
    /// The result of an operator as a quotient, where it is one and does not wrap.
    pub(crate) fn quotient(
        &self,
        walk: &Walk<'_>,
        op: BinaryOp,
        (a, b): (Operand, Operand),
        result: &IntDomain,
    ) -> Option<Quotient> {
        let width = self.program.target.pointer_width;
        match (op, b) {
            (BinaryOp::SDiv | BinaryOp::UDiv, Operand::Const(by)) => {
                let signed = op == BinaryOp::SDiv;
                let by = if signed { by.signed() } else { by.bits as i128 };
                let form = walk.form(a, signed, width)?;
                let rounds_down = || self.range_of(walk, a, signed, &form).is_some_and(|(least, _)| least >= 0);
                (by > 0 && rounds_down()).then_some(Quotient { form, by, signed })
            }
            (BinaryOp::AShr | BinaryOp::LShr, Operand::Const(by)) if by.bits <= MOST_SHIFT => {
                let signed = op == BinaryOp::AShr;
                Some(Quotient { form: walk.form(a, signed, width)?, by: 1 << by.bits, signed })
            }
            (BinaryOp::Add, _) => {
                self.moved_quotient(walk, op, a, b, result).or_else(|| self.moved_quotient(walk, op, b, a, result))
            }
            (BinaryOp::Sub, _) => self.moved_quotient(walk, op, a, b, result),
            _ => None,
        }
    }

    /// A quotient and a form, added or subtracted.
    fn moved_quotient(
        &self,
        walk: &Walk<'_>,
        op: BinaryOp,
        a: Operand,
        b: Operand,
        result: &IntDomain,
    ) -> Option<Quotient> {
        let Operand::Temp(temp) = a else { return None };
        let quotient = walk.quotients.get(&temp)?;
        let form = walk.form(b, quotient.signed, self.program.target.pointer_width)?;
        let moved = quotient.moved(op, &form)?;
        let (least, most) = moved.range(self.program, &walk.state)?;
        let whole = range(&IntDomain::top(result.width()), quotient.signed)?;
        (least >= whole.0 && most <= whole.1).then_some(moved)
    }

    /// The range of an operand that is a form.
    fn range_of(&self, walk: &Walk<'_>, operand: Operand, signed: bool, form: &Form) -> Option<(i128, i128)> {
        let Abs::Int(domain) = walk.value(operand, self.program.target.pointer_width) else { return None };
        let (least, most) = range(&domain, signed)?;
        let related = walk.state.bounds(self.program, form);
        Some(related.map_or((least, most), |it| (it.0.max(least), it.1.min(most))))
    }
}
