//! Contracts as terms: what a predicate says of the state of a path.
//!
//! Logic integers are unbounded; here they are signed bit-vectors that grow with every operation, so nothing wraps.
//! Quantifiers are not terms: a universal one of the precondition is instantiated for the values its bounds have under a
//! model, again and again, until the model satisfies all instances (each instance follows from the quantified predicate,
//! so a refutation stays a refutation). Elsewhere a quantifier is written out for all values its bounds may have.

mod entry;
mod frame;
mod integer;
mod place;
mod real;
mod validity;

pub(crate) use integer::constant;
pub(crate) use validity::Stretch;

use clew_ir::CTypeId;
use clew_ir::contract::{Binder, CompareOp, Label, Predicate, Quantifier, Sort, Term};
use clew_scalar::{BinaryOp, UnaryOp};

use crate::path::Path;
use crate::policy;
use crate::scope::{Scope, unsupported};
use crate::stepped::Step;
use crate::stepper::Stepper;
use crate::value::{self, Scalar};

impl Stepper<'_> {
    /// The truth of a predicate as a scalar of one bit.
    pub fn predicate(&mut self, path: &mut Path, scope: &Scope, predicate: &Predicate) -> Step<Scalar> {
        match predicate {
            Predicate::Const(truth) => Ok(Scalar::bool(*truth)),
            Predicate::Compare { op, a, b } => self.compare(path, scope, *op, a, b),
            Predicate::CompareFloat { op, a, b } => {
                let (a, b) = (self.c_scalar(path, scope, a)?, self.c_scalar(path, scope, b)?);
                Ok(self.compare_floats(*op, a, b))
            }
            Predicate::Class { class, a } => {
                let a = self.c_scalar(path, scope, a)?;
                Ok(self.float_class(*class, a))
            }
            Predicate::Not(a) => {
                let a = self.predicate(path, scope, a)?;
                Ok(value::not(self.constraints.terms(), a))
            }
            Predicate::And(parts) => self.fold(path, scope, BinaryOp::And, parts),
            Predicate::Or(parts) => self.fold(path, scope, BinaryOp::Or, parts),
            Predicate::Xor(a, b) => self.connect(path, scope, BinaryOp::Ne, a, b),
            Predicate::Iff(a, b) => self.connect(path, scope, BinaryOp::Eq, a, b),
            Predicate::Implies(a, b) => self.implication(path, scope, a, b),
            Predicate::If { condition, then, otherwise } => {
                let condition = self.predicate(path, scope, condition)?;
                let (then, otherwise) = (self.predicate(path, scope, then)?, self.predicate(path, scope, otherwise)?);
                let terms = self.constraints.terms();
                Ok(value::ternary(terms, clew_scalar::TernaryOp::Select, condition, then, otherwise))
            }
            Predicate::Quantified { quantifier, binders, body } => {
                self.quantified(path, scope, *quantifier, binders, body)
            }
            Predicate::Let { variable, value, body } => {
                let value = self.integer(path, scope, value)?;
                self.predicate(path, &scope.with(variable.number, value), body)
            }
            Predicate::At(inner, Label::Here | Label::Post) => self.predicate(path, scope, inner),
            Predicate::At(inner, Label::Pre) => {
                self.at_entry(path, scope, |this, path, scope| this.predicate(path, scope, inner))
            }
            Predicate::At(..) => unsupported("a label"),
            Predicate::Memory { access, pointer } => self.validity(path, scope, *access, pointer),
            Predicate::Separated(pointers) => self.separation(path, scope, pointers),
        }
    }

    fn fold(&mut self, path: &mut Path, scope: &Scope, op: BinaryOp, parts: &[Predicate]) -> Step<Scalar> {
        let mut whole = Scalar::bool(op == BinaryOp::And);
        for part in parts {
            if whole.bits() == Some(u128::from(op == BinaryOp::Or)) {
                return Ok(whole);
            }
            let part = self.predicate(path, scope, part)?;
            whole = value::binary(self.constraints.terms(), op, whole, part);
        }
        Ok(whole)
    }

    fn connect(&mut self, path: &mut Path, scope: &Scope, op: BinaryOp, a: &Predicate, b: &Predicate) -> Step<Scalar> {
        let (a, b) = (self.predicate(path, scope, a)?, self.predicate(path, scope, b)?);
        Ok(value::binary(self.constraints.terms(), op, a, b))
    }

    /// `a ==> b`; where the guard is known to fail, `b` is not looked at.
    fn implication(&mut self, path: &mut Path, scope: &Scope, a: &Predicate, b: &Predicate) -> Step<Scalar> {
        let a = self.predicate(path, scope, a)?;
        if a.bits() == Some(0) {
            return Ok(Scalar::bool(true));
        }
        let b = self.predicate(path, scope, b)?;
        let terms = self.constraints.terms();
        let not_a = value::unary(terms, UnaryOp::Not, a);
        Ok(value::binary(terms, BinaryOp::Or, not_a, b))
    }

    fn compare(&mut self, path: &mut Path, scope: &Scope, op: CompareOp, a: &Term, b: &Term) -> Step<Scalar> {
        match (a.sort, b.sort) {
            (Sort::Integer, Sort::Integer) => {
                let (a, b) = (self.integer(path, scope, a)?, self.integer(path, scope, b)?);
                self.compare_integers(op, a, b)
            }
            (Sort::C(_), Sort::C(_)) => self.compare_pointers(path, scope, op, a, b),
            _ => self.compare_reals(path, scope, op, a, b),
        }
    }

    /// The least and the greatest value that a logic integer has on the inputs of a path.
    fn extremes(&mut self, path: &Path, integer: Scalar) -> Step<(i128, i128)> {
        let Scalar::Term(term) = integer else {
            let value = integer.known().expect("what is no term is known").signed();
            return Ok((value, value));
        };
        let Some(values) = self.constraints.values(&path.state, term, &path.model, policy::MAX_BOUND_VALUES.size())
        else {
            return unsupported("a quantifier with bounds that have very many values");
        };
        let ty = integer.ty(self.constraints.terms());
        let signed = |bits: &u128| clew_scalar::Value::new(ty, *bits).signed();
        let least = values.iter().map(signed).min().expect("a path has an input");
        Ok((least, values.iter().map(signed).max().expect("a path has an input")))
    }

    /// A quantifier is a conjunction or disjunction over all values that its bounds allow on some input of the path; the
    /// body holds the guard, so instances beyond the bounds of one input say nothing about it.
    fn quantified(
        &mut self,
        path: &mut Path,
        scope: &Scope,
        quantifier: Quantifier,
        binders: &[Binder],
        body: &Predicate,
    ) -> Step<Scalar> {
        let Some((binder, rest)) = binders.split_first() else { return self.predicate(path, scope, body) };
        let (low, high) = self.bounds(path, scope, binder)?;
        let (low, high) = (self.extremes(path, low)?.0, self.extremes(path, high)?.1);
        let op = if quantifier == Quantifier::ForAll { BinaryOp::And } else { BinaryOp::Or };
        let mut whole = Scalar::bool(quantifier == Quantifier::ForAll);
        for number in low..=high {
            let scope = scope.with(binder.variable.number, integer::constant(number));
            let instance = self.quantified(path, &scope, quantifier, rest, body)?;
            whole = value::binary(self.constraints.terms(), op, whole, instance);
        }
        Ok(whole)
    }

    /// The range of a quantified variable.
    pub(crate) fn bounds(&mut self, path: &mut Path, scope: &Scope, binder: &Binder) -> Step<(Scalar, Scalar)> {
        let (Some(low), Some(high)) = (&binder.low, &binder.high) else {
            return unsupported("a quantifier without bounds");
        };
        Ok((self.integer(path, scope, low)?, self.integer(path, scope, high)?))
    }

    /// The C type behind a sort.
    fn c_type(&self, term: &Term) -> Step<CTypeId> {
        match term.sort {
            Sort::C(ty) => Ok(ty),
            Sort::Integer | Sort::Real => unsupported("a logic value where a C value is expected"),
        }
    }
}
