//! Labelling: values for the inputs of a part of the problem, by depth-first search over the store.
//!
//! Only inputs are labelled: variables that no asserted equation defines by others. The next input is the one with the
//! fewest values left (first-fail), those the caller wants low before all others. It is first tried at the value
//! nearest to the previous model, then its domain is split in halves. After each decision, the whole candidate
//! that takes the nearest value everywhere is evaluated: most problems end there, long before all inputs are fixed.
//!
//! The search is complete, given enough steps: it ends with a model, with the assertions that refute the part, or
//! without an answer when its steps are used up or when arrays, which it does not label, stand in the way.

mod part;

use std::time::Instant;

use clew_scalar::{Type, Value};

use crate::domain::Conflict;
use crate::domain::float::key;
use crate::evaluate::Evaluator;
use crate::model::Model;
use crate::store::{Domain, Slot, Store};
use crate::term::{Terms, VarId};

pub(crate) use part::{Part, Variables, Weight, conjuncts, equations};

/// What a search found.
pub(crate) enum Outcome {
    /// A model of the part, evaluated; other variables are as in the model it started from.
    Found(Model),
    /// There is none: the numbers of the assertions that say so.
    Refuted(Vec<u32>),
    /// The steps were used up, or the part is not for labelling.
    GaveUp,
}

/// A decision and its alternatives.
struct Frame {
    slot: Slot,
    /// What remains to be tried, last first.
    options: Vec<Domain>,
    /// Levels of the store before the decision.
    levels: usize,
}

/// A search for values of the inputs of one part.
pub(crate) struct Search<'a> {
    pub(crate) terms: &'a Terms,
    pub(crate) store: &'a mut Store,
    pub(crate) part: &'a Part,
    /// The model to stay near.
    pub(crate) previous: &'a Model,
    /// Variables that should be as low as possible.
    pub(crate) low: &'a [VarId],
    pub(crate) evaluator: &'a mut Evaluator,
    /// Contractors that may be run.
    pub(crate) steps: u64,
    /// When to give up in any case.
    pub(crate) deadline: Option<Instant>,
}

impl Search<'_> {
    /// Searches; the store is left as it was.
    pub(crate) fn run(mut self) -> Outcome {
        let levels = self.store.levels();
        let outcome = self.descend();
        self.store.undo(levels);
        outcome
    }

    fn descend(&mut self) -> Outcome {
        let limit = self.store.steps().saturating_add(self.steps);
        let mut frames: Vec<Frame> = Vec::new();
        let mut refuting = Vec::new();
        loop {
            if let Some(model) = self.candidate() {
                return Outcome::Found(model);
            }
            if self.part.has_arrays() {
                return Outcome::GaveUp;
            }
            match self.choose() {
                Some((slot, options)) => frames.push(Frame { slot, options, levels: self.store.levels() }),
                // All inputs are fixed and the candidate failed: propagation has overlooked the conflict.
                None => refuting.extend(self.part.assertions.iter().map(|&number| number as u32)),
            }
            if !self.advance(&mut frames, &mut refuting) {
                refuting.sort_unstable();
                refuting.dedup();
                return Outcome::Refuted(refuting);
            }
            let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if self.store.steps() > limit || late {
                return Outcome::GaveUp;
            }
        }
    }

    /// Takes the next option that does not fail at once; `false` when none is left.
    fn advance(&mut self, frames: &mut Vec<Frame>, refuting: &mut Vec<u32>) -> bool {
        while let Some(frame) = frames.last_mut() {
            self.store.undo(frame.levels);
            let Some(option) = frame.options.pop() else {
                frames.pop();
                continue;
            };
            let slot = frame.slot;
            match self.store.decide(self.terms, slot, option) {
                Ok(()) => return true,
                Err(Conflict) => {
                    let decided: Vec<Slot> = frames.iter().map(|frame| frame.slot).collect();
                    self.store.explain(&decided, refuting);
                }
            }
        }
        false
    }

    /// The input to decide on and what to try, last first.
    fn choose(&self) -> Option<(Slot, Vec<Domain>)> {
        let open = |var: &VarId| {
            let slot = self.store.slot(self.terms.var(*var).term)?;
            self.store.domain(slot).value().is_none().then_some((*var, slot))
        };
        let first_low = self.low.iter().filter(|var| self.part.inputs.contains(var)).find_map(open);
        if let Some((_, slot)) = first_low {
            let (lower, upper) = self.store.domain(slot).halves()?;
            return Some((slot, vec![upper, lower]));
        }
        let smallest =
            self.part.inputs.iter().filter_map(open).min_by_key(|&(_, slot)| self.store.domain(slot).count());
        let (var, slot) = smallest?;
        let domain = self.store.domain(slot);
        let value = self.nearest(var, domain);
        let (lower, upper) = domain.halves()?;
        let mut options = if lower.contains(value.bits) { vec![upper, lower] } else { vec![lower, upper] };
        if domain.count() > 2 {
            options.push(Domain::singleton(value));
        }
        Some((slot, options))
    }

    /// The value to try first: the least where the caller wants it low, otherwise the nearest to the previous model.
    fn preferred(&self, var: VarId, domain: &Domain) -> Value {
        match domain {
            Domain::Int(domain) if self.low.contains(&var) => Value::int(domain.width(), domain.unsigned_min()),
            _ => self.nearest(var, domain),
        }
    }

    /// The value of a domain nearest to that of the previous model.
    fn nearest(&self, var: VarId, domain: &Domain) -> Value {
        let previous = self.previous.value(self.terms, var);
        if domain.contains(previous.bits) {
            return previous;
        }
        let bits = match domain {
            Domain::Bool(_) => 1 - previous.bits,
            Domain::Int(domain) => {
                let (above, below) = (domain.first_from(previous.bits), domain.last_until(previous.bits));
                let distance = |bits: u128| {
                    let forward = bits.wrapping_sub(previous.bits) & domain.mask();
                    forward.min(forward.wrapping_neg() & domain.mask())
                };
                if distance(above) <= distance(below) { above } else { below }
            }
            Domain::Float(domain) => {
                let hull = domain.hull();
                match key::of_bits(domain.format(), previous.bits) {
                    _ if hull.is_empty() => key::nan(domain.format()),
                    Some(at) => key::to_bits(domain.format(), at.clamp(hull.lo, hull.hi)),
                    None => key::to_bits(domain.format(), 0.clamp(hull.lo, hull.hi)),
                }
            }
            Domain::Opaque => unreachable!("inputs are scalars"),
        };
        Value { ty: previous.ty, bits }
    }

    /// The model that takes the nearest value everywhere, if it holds.
    fn candidate(&mut self) -> Option<Model> {
        let mut model = self.previous.clone();
        for &var in &self.part.inputs {
            let term = self.terms.var(var).term;
            let value = match self.store.slot(term) {
                Some(slot) => self.preferred(var, self.store.domain(slot)),
                None => self.previous.value(self.terms, var),
            };
            model.set(var, value);
        }
        self.evaluator.reset();
        for &(var, term) in &self.part.definitions {
            let value = self.evaluator.value(self.terms, &model, term);
            let ty: Type = value.ty;
            model.set(var, Value { ty, bits: value.bits });
        }
        let mut goals = self.part.goals.iter().rev();
        goals.all(|&goal| self.evaluator.is_true(self.terms, &model, goal)).then_some(model)
    }
}
