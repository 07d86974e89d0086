//! The question service: is there an input that takes a path and satisfies the whole precondition?
//!
//! Every question about a path goes through [`Stepper::solve`]. The solver is asked for an input ([`Constraints`], which
//! remembers models and refutations); the quantified clauses of the precondition are instantiated for the values their
//! bounds have under that input, and the question is asked again, until the input satisfies all instances. Each instance
//! follows from the quantified clause, so a refutation stays a refutation.
//!
//! [`Constraints`]: crate::constraints::Constraints

use std::rc::Rc;

use clew_ir::Span;
use clew_ir::contract::{Binder, Predicate};
use clew_solver::model::Model;
use clew_solver::term::TermId;

use crate::constraints::Answer;
use crate::contract::constant;
use crate::ending::{Limit, PathEnd};
use crate::path::Path;
use crate::policy;
use crate::scope::{Scope, When};
use crate::state::State;
use crate::stepped::Step;
use crate::stepper::Stepper;
use crate::value::Scalar;

impl Stepper<'_> {
    /// Where the parameters of the function under test are.
    pub fn parameters(&self) -> Scope {
        self.required.universals.scope.clone()
    }

    /// The clause of the precondition that made a term part of the condition.
    pub fn origin(&self, term: TermId) -> Option<Span> {
        self.required.origins.get(&term).copied()
    }

    /// Whether the precondition has clauses that must be instantiated on the way.
    pub fn has_quantified_clauses(&self) -> bool {
        !self.required.universals.predicates.is_empty()
    }

    /// Whether a quantified clause may have instances on some inputs of a path that it has not on others: its bounds are not
    /// known, so that the condition of the path does not say all that the precondition demands.
    pub fn has_open_instances(&mut self, path: &mut Path) -> bool {
        let universals = self.required.universals.clone();
        let when = if path.state.steps == 0 { When::Entry } else { When::Later };
        let scope = Scope { when, ..universals.scope.clone() };
        let mut is_open = false;
        for (predicate, _) in &universals.predicates {
            let Predicate::Quantified { binders, .. } = predicate else { continue };
            let known = self.at_entry(path, &scope, |this, path, scope| this.has_known_bounds(path, scope, binders));
            is_open |= !matches!(known, Ok(true));
        }
        is_open
    }

    fn has_known_bounds(&mut self, path: &mut Path, scope: &Scope, binders: &[Binder]) -> Step<bool> {
        let Some((binder, rest)) = binders.split_first() else { return Ok(true) };
        let (low, high) = self.contract(path, scope).bounds(binder)?;
        let mut ends = [0; 2];
        for (end, bound) in ends.iter_mut().zip([low, high]) {
            let is_fixed = match bound {
                Scalar::Known(_) => true,
                Scalar::Term(term) => {
                    self.constraints.range(&path.state, term).is_some_and(|range| range.value().is_some())
                }
            };
            if !is_fixed {
                return Ok(false);
            }
            *end = self.signed(path, bound);
        }
        if ends[1].saturating_sub(ends[0]) > i128::from(policy::MAX_INSTANCES.get()) {
            return Ok(false);
        }
        for number in ends[0]..=ends[1] {
            let scope = scope.with(binder.variable.number, constant(number));
            if !self.has_known_bounds(path, &scope, rest)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// An input that takes the path and satisfies the whole precondition, quantified clauses included.
    pub fn solve(&mut self, state: &mut State, extra: Option<TermId>, near: &Rc<Model>) -> Answer {
        if let Some(extra) = extra {
            state.condition.push_back(extra);
        }
        let mut near = Rc::clone(near);
        let mut path = Path { state: std::mem::take(state), model: Rc::clone(&near) };
        let answer = loop {
            match self.constraints.solve(&path.state, None, &near) {
                Answer::Sat(model) => near = model,
                other => break other,
            }
            path.model = Rc::clone(&near);
            match self.instantiate(&mut path) {
                Ok(true) => near = Rc::clone(&path.model),
                Ok(false) => break Answer::Sat(Rc::clone(&path.model)),
                Err(PathEnd::Contradiction) => break Answer::Unsat,
                Err(_) => break Answer::Unknown,
            }
        };
        *state = path.state;
        answer
    }

    /// The same with so many steps of the solver for each question, at most as many as usual.
    pub fn solve_within(&mut self, steps: u64, state: &mut State, extra: Option<TermId>, near: &Rc<Model>) -> Answer {
        let usual = self.constraints.limit_steps(steps);
        let answer = self.solve(state, extra, near);
        self.constraints.limit_steps(usual);
        answer
    }

    /// Instantiates the quantified clauses for the values their bounds have now; says whether there were new instances.
    fn instantiate(&mut self, path: &mut Path) -> Step<bool> {
        let universals = self.required.universals.clone();
        // The clauses are about the state of the call, wherever the path stands by now.
        let when = if path.state.steps == 0 { When::Entry } else { When::Later };
        let scope = Scope { when, ..universals.scope.clone() };
        let mut any = false;
        for (index, (predicate, _)) in universals.predicates.iter().enumerate() {
            let Predicate::Quantified { binders, body, .. } = predicate else {
                unreachable!("only quantified clauses are kept here")
            };
            any |= self.at_entry(path, &scope, |this, path, scope| {
                this.instances(path, scope, index, &mut Vec::new(), binders, body)
            })?;
        }
        Ok(any)
    }

    /// Instantiates the quantified clauses for an object that the path has just come to know.
    pub(crate) fn instantiate_behind(&mut self, path: &mut Path) -> Step {
        let mut state = std::mem::take(&mut path.state);
        let answer = self.solve(&mut state, None, &path.model.clone());
        path.state = state;
        match answer {
            Answer::Sat(model) => path.model = model,
            Answer::Unsat => return Err(PathEnd::Contradiction),
            Answer::Unknown => return Err(PathEnd::Limit(Limit::Solver)),
        }
        Ok(())
    }

    fn instances(
        &mut self,
        path: &mut Path,
        scope: &Scope,
        clause: usize,
        chosen: &mut Vec<i128>,
        binders: &[Binder],
        body: &Predicate,
    ) -> Step<bool> {
        let Some((binder, rest)) = binders.split_first() else {
            return self.instance(path, scope, clause, chosen, body);
        };
        let (low, high) = self.contract(path, scope).bounds(binder)?;
        let (low, high) = (self.signed(path, low), self.signed(path, high));
        if high.saturating_sub(low) > i128::from(policy::MAX_INSTANCES.get()) {
            return Err(PathEnd::Limit(Limit::Elements));
        }
        let mut any = false;
        for number in low..=high {
            chosen.push(number);
            let scope = scope.with(binder.variable.number, constant(number));
            any |= self.instances(path, &scope, clause, chosen, rest, body)?;
            chosen.pop();
        }
        Ok(any)
    }

    fn instance(
        &mut self,
        path: &mut Path,
        scope: &Scope,
        clause: usize,
        chosen: &[i128],
        body: &Predicate,
    ) -> Step<bool> {
        let key = (clause, chosen.to_vec());
        if path.state.instantiated.contains(&key) {
            return Ok(false);
        }
        path.state.instantiated.insert(key);
        match self.contract(path, scope).predicate(body)? {
            Scalar::Known(truth) if truth.bits == 1 => Ok(true),
            Scalar::Known(_) => Err(PathEnd::Contradiction),
            Scalar::Term(term) => {
                self.required.origins.entry(term).or_insert(self.required.universals.predicates[clause].1);
                self.assume(path, term).map(|()| true)
            }
        }
    }

    /// A logic integer under the model of a path.
    fn signed(&mut self, path: &Path, integer: Scalar) -> i128 {
        let value = match integer {
            Scalar::Known(value) => value,
            Scalar::Term(term) => {
                let bits = self.constraints.value(&path.model, term);
                clew_scalar::Value::new(integer.ty(self.constraints.terms()), bits)
            }
        };
        value.signed()
    }
}
