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

pub(crate) use integer::{constant, resized};
pub(crate) use validity::Stretch;

use clew_ir::CTypeId;
use clew_ir::contract::{Binder, CompareOp, Label, Predicate, Quantifier, Sort, Term};
use clew_scalar::{BinaryOp, UnaryOp};
use clew_solver::term::Terms;

use crate::path::Path;
use crate::policy;
use crate::scope::{Scope, unsupported};
use crate::stepped::Step;
use crate::stepper::Stepper;
use crate::value::{self, Scalar};
use integer::compare_integers;
use real::{compare_floats, float_class};

/// A contract read where a path stands: what its predicates and terms mean there.
pub struct ContractReader<'a, 'p> {
    stepper: &'a mut Stepper<'p>,
    path: &'a mut Path,
    scope: &'a Scope,
}

impl<'p> Stepper<'p> {
    /// Reads contracts where a path stands.
    pub fn contract<'a>(&'a mut self, path: &'a mut Path, scope: &'a Scope) -> ContractReader<'a, 'p> {
        ContractReader { stepper: self, path, scope }
    }
}

impl<'p> ContractReader<'_, 'p> {
    /// The same with other variables.
    fn within<'b>(&'b mut self, scope: &'b Scope) -> ContractReader<'b, 'p> {
        ContractReader { stepper: self.stepper, path: self.path, scope }
    }

    fn terms(&mut self) -> &mut Terms {
        self.stepper.constraints.terms()
    }

    /// Reads something in the memory of the call.
    fn at_entry<T>(&mut self, work: impl FnOnce(&mut ContractReader<'_, 'p>) -> Step<T>) -> Step<T> {
        let ContractReader { stepper, path, scope } = self;
        stepper.at_entry(path, scope, |stepper, path, scope| work(&mut ContractReader { stepper, path, scope }))
    }

    /// The truth of a predicate as a scalar of one bit.
    pub fn predicate(&mut self, predicate: &Predicate) -> Step<Scalar> {
        match predicate {
            Predicate::Const(truth) => Ok(Scalar::bool(*truth)),
            Predicate::Compare { op, a, b } => self.compare(*op, a, b),
            Predicate::CompareFloat { op, a, b } => {
                let (a, b) = (self.c_scalar(a)?, self.c_scalar(b)?);
                Ok(compare_floats(self.terms(), *op, a, b))
            }
            Predicate::Class { class, a } => {
                let a = self.c_scalar(a)?;
                Ok(float_class(self.terms(), *class, a))
            }
            Predicate::Not(a) => {
                let a = self.predicate(a)?;
                Ok(value::not(self.terms(), a))
            }
            Predicate::And(parts) => self.fold(BinaryOp::And, parts),
            Predicate::Or(parts) => self.fold(BinaryOp::Or, parts),
            Predicate::Xor(a, b) => self.connect(BinaryOp::Ne, a, b),
            Predicate::Iff(a, b) => self.connect(BinaryOp::Eq, a, b),
            Predicate::Implies(a, b) => self.implication(a, b),
            Predicate::If { condition, then, otherwise } => {
                let condition = self.predicate(condition)?;
                let (then, otherwise) = (self.predicate(then)?, self.predicate(otherwise)?);
                let terms = self.stepper.constraints.terms();
                Ok(value::ternary(terms, clew_scalar::TernaryOp::Select, condition, then, otherwise))
            }
            Predicate::Quantified { quantifier, binders, body } => self.quantified(*quantifier, binders, body),
            Predicate::Let { variable, value, body } => {
                let value = self.integer(value)?;
                self.within(&self.scope.with(variable.number, value)).predicate(body)
            }
            Predicate::At(inner, Label::Here | Label::Post) => self.predicate(inner),
            Predicate::At(inner, Label::Pre) => self.at_entry(|this| this.predicate(inner)),
            Predicate::At(..) => unsupported("a label"),
            Predicate::Memory { access, pointer } => self.validity(*access, pointer),
            Predicate::Separated(pointers) => self.separation(pointers),
        }
    }

    fn fold(&mut self, op: BinaryOp, parts: &[Predicate]) -> Step<Scalar> {
        let mut whole = Scalar::bool(op == BinaryOp::And);
        for part in parts {
            if whole.bits() == Some(u128::from(op == BinaryOp::Or)) {
                return Ok(whole);
            }
            let part = self.predicate(part)?;
            whole = value::binary(self.terms(), op, whole, part);
        }
        Ok(whole)
    }

    fn connect(&mut self, op: BinaryOp, a: &Predicate, b: &Predicate) -> Step<Scalar> {
        let (a, b) = (self.predicate(a)?, self.predicate(b)?);
        Ok(value::binary(self.terms(), op, a, b))
    }

    /// `a ==> b`; where the guard is known to fail, `b` is not looked at.
    fn implication(&mut self, a: &Predicate, b: &Predicate) -> Step<Scalar> {
        let a = self.predicate(a)?;
        if a.bits() == Some(0) {
            return Ok(Scalar::bool(true));
        }
        let b = self.predicate(b)?;
        let terms = self.stepper.constraints.terms();
        let not_a = value::unary(terms, UnaryOp::Not, a);
        Ok(value::binary(terms, BinaryOp::Or, not_a, b))
    }

    fn compare(&mut self, op: CompareOp, a: &Term, b: &Term) -> Step<Scalar> {
        match (a.sort, b.sort) {
            (Sort::Integer, Sort::Integer) => {
                let (a, b) = (self.integer(a)?, self.integer(b)?);
                compare_integers(self.terms(), op, a, b)
            }
            (Sort::C(_), Sort::C(_)) => self.compare_pointers(op, a, b),
            _ => self.compare_reals(op, a, b),
        }
    }

    /// The least and the greatest value that a logic integer has on the inputs of a path.
    fn extremes(&mut self, integer: Scalar) -> Step<(i128, i128)> {
        let Scalar::Term(term) = integer else {
            let value = integer.known().expect("what is no term is known").signed();
            return Ok((value, value));
        };
        let Some(values) =
            self.stepper.constraints.values(&self.path.state, term, &self.path.model, policy::MAX_BOUND_VALUES.size())
        else {
            return unsupported("a quantifier with bounds that have very many values");
        };
        let ty = integer.ty(self.terms());
        let signed = |bits: &u128| clew_scalar::Value::new(ty, *bits).signed();
        let least = values.iter().map(signed).min().expect("a path has an input");
        Ok((least, values.iter().map(signed).max().expect("a path has an input")))
    }

    /// A quantifier is a conjunction or disjunction over all values that its bounds allow on some input of the path; the
    /// body holds the guard, so instances beyond the bounds of one input say nothing about it.
    fn quantified(&mut self, quantifier: Quantifier, binders: &[Binder], body: &Predicate) -> Step<Scalar> {
        let Some((binder, rest)) = binders.split_first() else { return self.predicate(body) };
        let (low, high) = self.bounds(binder)?;
        let (low, high) = (self.extremes(low)?.0, self.extremes(high)?.1);
        let op = if quantifier == Quantifier::ForAll { BinaryOp::And } else { BinaryOp::Or };
        let mut whole = Scalar::bool(quantifier == Quantifier::ForAll);
        for number in low..=high {
            let scope = self.scope.with(binder.variable.number, integer::constant(number));
            let instance = self.within(&scope).quantified(quantifier, rest, body)?;
            whole = value::binary(self.terms(), op, whole, instance);
        }
        Ok(whole)
    }

    /// The range of a quantified variable.
    pub(crate) fn bounds(&mut self, binder: &Binder) -> Step<(Scalar, Scalar)> {
        let (Some(low), Some(high)) = (&binder.low, &binder.high) else {
            return unsupported("a quantifier without bounds");
        };
        Ok((self.integer(low)?, self.integer(high)?))
    }

    /// The C type behind a sort.
    fn c_type(&self, term: &Term) -> Step<CTypeId> {
        match term.sort {
            Sort::C(ty) => Ok(ty),
            Sort::Integer | Sort::Real => unsupported("a logic value where a C value is expected"),
        }
    }
}
