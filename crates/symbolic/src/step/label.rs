//! Labels: predicates of criteria, evaluated on the way.
//!
//! A label whose predicate may hold is left open like the alternative of a branch, but does not split the path: the path
//! goes on with all its inputs, and whether the label held is asked of the input it ends with.

use std::rc::Rc;

use clew_coverage::label::LabelId;
use clew_ir::Expr;
use clew_solver::term::TermId;

use crate::path::{Open, Path, Resume};
use crate::stepped::{At, Step};
use crate::stepper::Stepper;
use crate::value::{self, Scalar, Val};

impl Stepper<'_> {
    /// Evaluates the labels that belong to an instruction just executed and that are asked for.
    ///
    /// # Errors
    /// The end of the path, if a predicate cannot be read.
    pub fn labels_after(&mut self, path: &mut Path, at: At, wants: impl Fn(LabelId) -> bool) -> Step {
        if self.labels.is_empty() {
            return Ok(());
        }
        let labels = Rc::clone(&self.labels);
        for (label, holds) in labels.after(at) {
            if wants(*label) {
                self.evaluate_label(path, *label, holds)?;
            }
        }
        Ok(())
    }

    fn evaluate_label(&mut self, path: &mut Path, label: LabelId, holds: &Expr) -> Step {
        if self.mentions_pointers(path, holds)? && self.is_aside(path, label, holds)? {
            return Ok(());
        }
        match self.label_value(path, holds)? {
            Scalar::Known(value) if value.bits == 1 => {
                let always = self.constraints.terms().bool(true);
                self.claim(path, label, always);
            }
            Scalar::Known(_) => {}
            Scalar::Term(when) => {
                self.leave_label_open(path, label, when);
                self.claim(path, label, when);
            }
        }
        Ok(())
    }

    /// Whether a limit is met in evaluating a label, which the program itself would not have met: then a path aside is for
    /// the label alone, and says nothing of other inputs.
    fn is_aside(&mut self, path: &Path, label: LabelId, holds: &Expr) -> Step<bool> {
        let before = std::mem::take(&mut self.effects.limits);
        let mut trial = path.clone();
        let value = self.label_value(&mut trial, holds);
        let met = std::mem::replace(&mut self.effects.limits, before);
        if met.is_empty() {
            return Ok(false);
        }
        self.effects.limited.insert(label);
        if let Ok(value) = value {
            let when = value.term(self.constraints.terms());
            self.leave_label_open(&trial, label, when);
        }
        Ok(true)
    }

    /// Whether a predicate looks at pointers.
    fn mentions_pointers(&mut self, path: &mut Path, expr: &Expr) -> Step<bool> {
        Ok(match expr {
            Expr::Operand(operand) => matches!(self.operand(path, *operand)?, Val::Pointer(_)),
            Expr::Unary(_, a) | Expr::Convert(_, a) => self.mentions_pointers(path, a)?,
            Expr::Binary(_, a, b) => self.mentions_pointers(path, a)? || self.mentions_pointers(path, b)?,
        })
    }

    /// Notes that a label holds on the path where `when` does.
    pub fn claim(&mut self, path: &mut Path, label: LabelId, when: TermId) {
        let at = path.state.record.trace.as_ref().map_or(0, imbl::Vector::len);
        path.state.record.labels.push_back((at, label, when));
    }

    fn leave_label_open(&mut self, path: &Path, label: LabelId, when: TermId) {
        if !path.state.repeats {
            let (mut state, model) = (path.state.clone(), path.model.clone());
            state.repeats = true;
            self.effects.forks.push(Open::new(state, model, when, Resume::Label(label)));
        }
    }

    fn label_value(&mut self, path: &mut Path, expr: &Expr) -> Step<Scalar> {
        Ok(match expr {
            Expr::Operand(operand) => self.scalar(path, *operand)?,
            Expr::Unary(op, a) => {
                let a = self.label_value(path, a)?;
                value::unary(self.constraints.terms(), *op, a)
            }
            Expr::Binary(op, a, b) => {
                if let (Expr::Operand(a), Expr::Operand(b)) = (&**a, &**b) {
                    let (a, b) = (self.operand(path, *a)?, self.operand(path, *b)?);
                    if let Some(Val::Scalar(result)) = self.pointer_operation(path, *op, a, b)? {
                        return Ok(result);
                    }
                }
                let (a, b) = (self.label_value(path, a)?, self.label_value(path, b)?);
                value::binary(self.constraints.terms(), *op, a, b)
            }
            Expr::Convert(op, a) => {
                let a = self.label_value(path, a)?;
                value::convert(self.constraints.terms(), *op, a)
            }
        })
    }
}
