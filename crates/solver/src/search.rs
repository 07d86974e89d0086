//! Labelling: values for the inputs of a part of the problem, by depth-first search over the store.
//!
//! Only inputs are labelled, and shares of them (`store::handle`): variables that no asserted equation defines by others.
//! The next one is that with the fewest values left (first-fail), those the caller wants low before all others. It is
//! first tried at the value nearest to the previous model, then what is left of its domain is split in halves. After each decision, the
//! whole candidate that takes the nearest value everywhere is evaluated: most problems end there, long before all inputs
//! are fixed. A conflict undoes the last decision it rests on, and those that came later.
//!
//! What is read from arrays is labelled as well, once the inputs are, where arrays are only read (`reads`).
//!
//! The search is complete, given enough steps: it ends with a model, with the assertions that refute the part, or
//! without an answer when its steps are used up or when arrays that are written to or compared stand in the way.

mod part;
mod reads;

use clew_scalar::Value;

use crate::clock::Deadline;
use crate::domain::Conflict;
use crate::domain::float::key;
use crate::domain::int::IntDomain;
use crate::evaluate::Evaluator;
use crate::model::Model;
use crate::store::{Domain, Explanation, Slot, Store};
use crate::term::{TermId, Terms, VarId};

pub(crate) use part::{Part, Variables, Weight, conjuncts, equations};
use reads::{Elements, Reads};

/// What a search found.
pub(crate) enum SearchResult {
    /// A model of the part, evaluated; other variables are as in the model it started from.
    Found(Model),
    /// There is none: the numbers of the assertions that say so.
    Refuted(Vec<u32>),
    /// The steps were used up, or the part is not for labelling.
    GaveUp,
}

/// What to search for, and how far.
pub(crate) struct Task<'a> {
    pub(crate) terms: &'a Terms,
    pub(crate) part: &'a Part,
    /// The model to stay near.
    pub(crate) previous: &'a Model,
    /// Variables that should be as low as possible.
    pub(crate) low: &'a [VarId],
    /// Propagators that may be run.
    pub(crate) steps: u64,
    /// When to give up in any case.
    pub(crate) deadline: Deadline,
}

/// Searches for values of the inputs of one part; the store is left as it was.
pub(crate) fn search(task: Task<'_>, store: &mut Store, evaluator: &mut Evaluator) -> SearchResult {
    let base = store.levels();
    let search = Search { task, store, evaluator, base, frames: Vec::new(), handles: None, refuting: Vec::new() };
    search.run()
}

/// A decision and its alternatives.
struct Frame {
    slot: Slot,
    /// What remains to be tried, last first.
    options: Vec<Domain>,
    /// The levels of earlier decisions without which the options tried so far might not have failed.
    blamed: Vec<usize>,
}

/// A search under way. The decision of frame `n` is at level `base + n` of the store.
struct Search<'a> {
    task: Task<'a>,
    store: &'a mut Store,
    evaluator: &'a mut Evaluator,
    base: usize,
    frames: Vec<Frame>,
    /// Cells that stand for a share of an input, once they are asked for.
    handles: Option<Vec<Slot>>,
    /// The assertions that what has failed so far rests on.
    refuting: Vec<u32>,
}

impl Search<'_> {
    fn run(mut self) -> SearchResult {
        let limit = self.store.steps().saturating_add(self.task.steps);
        let outcome = self.descend(limit);
        self.store.undo(self.base);
        outcome
    }

    fn is_late(&self) -> bool {
        self.task.deadline.has_passed()
    }

    fn descend(&mut self, limit: u64) -> SearchResult {
        loop {
            if let Some(model) = self.candidate() {
                return SearchResult::Found(model);
            }
            if !self.is_for_labelling() {
                return SearchResult::GaveUp;
            }
            let failure = match self.choose() {
                Some((slot, options)) => {
                    self.frames.push(Frame { slot, options, blamed: Vec::new() });
                    None
                }
                // All inputs are fixed and the candidate failed: propagation has overlooked the conflict.
                None => Some(self.everything()),
            };
            if !self.advance(failure, limit) {
                self.refuting.sort_unstable();
                self.refuting.dedup();
                return SearchResult::Refuted(std::mem::take(&mut self.refuting));
            }
            if self.store.steps() > limit || self.is_late() {
                return SearchResult::GaveUp;
            }
        }
    }

    /// Whether everything that is unknown has a cell to decide on.
    fn is_for_labelling(&self) -> bool {
        let part = self.task.part;
        let is_posted = |term: TermId| self.store.slot(term).is_some();
        !part.has_arrays() && part.reads.iter().flat_map(Reads::all).all(is_posted)
    }

    /// All assertions and all decisions.
    fn everything(&self) -> Explanation {
        Explanation {
            assertions: self.task.part.assertions.iter().map(|&number| number as u32).collect(),
            decisions: (self.base..self.store.levels()).rev().collect(),
        }
    }

    /// Takes the next option that does not fail at once; `false` when none is left. Stops early when the steps are used up.
    fn advance(&mut self, mut failure: Option<Explanation>, limit: u64) -> bool {
        while self.store.steps() <= limit {
            if let Some(explanation) = failure.take() {
                self.jump(explanation);
            }
            let levels = self.base + self.frames.len();
            let Some(frame) = self.frames.last_mut() else { return false };
            self.store.undo(levels - 1);
            let slot = frame.slot;
            failure = match frame.options.pop() {
                Some(option) => match self.store.decide(self.task.terms, slot, option) {
                    Ok(()) => return true,
                    Err(Conflict) => Some(self.store.explain_conflict()),
                },
                None => self.exhausted(),
            };
        }
        true
    }

    /// Goes back to the last decision that a failure rests on: those after it have nothing to do with it (conflict-directed
    /// backjumping: Prosser 1993).
    fn jump(&mut self, explanation: Explanation) {
        self.refuting.extend(explanation.assertions);
        let mut decisions = explanation.decisions.into_iter();
        let kept = decisions.next().map_or(0, |last| last - self.base + 1);
        self.frames.truncate(kept);
        if let Some(frame) = self.frames.last_mut() {
            frame.blamed.extend(decisions);
        }
    }

    /// Removes the last frame: why all its options have failed, and why there were no others.
    fn exhausted(&mut self) -> Option<Explanation> {
        let frame = self.frames.pop()?;
        let mut explanation = self.store.explain_domain(frame.slot);
        explanation.decisions.extend(frame.blamed);
        explanation.decisions.sort_unstable_by_key(|&level| std::cmp::Reverse(level));
        explanation.decisions.dedup();
        Some(explanation)
    }

    /// The cell to decide on and what to try, last first.
    fn choose(&mut self) -> Option<(Slot, Vec<Domain>)> {
        let inputs = &self.task.part.inputs;
        let (terms, store) = (self.task.terms, &*self.store);
        let slot = |var: &VarId| store.slot(terms.var(*var).term);
        let open = |slot: &Slot| store.domain(*slot).value().is_none();
        let mut low = self.task.low.iter().filter(|var| inputs.contains(var)).filter_map(slot);
        if let Some(slot) = low.find(open) {
            let (first, second) = store.domain(slot).halves()?;
            let least = |domain: &Domain| if let Domain::Int(domain) = domain { domain.unsigned_min() } else { 0 };
            let options = if least(&first) <= least(&second) { vec![second, first] } else { vec![first, second] };
            return Some((slot, options));
        }
        let handles = self.handles.get_or_insert_with(|| store.handles(inputs.iter().filter_map(slot)));
        let cells = inputs.iter().filter_map(slot).chain(handles.iter().copied()).filter(open);
        // What is read is decided on when all inputs are: most often, it does not matter.
        let reads = self.task.part.reads.iter().flat_map(Reads::all).filter_map(|read| store.slot(read)).filter(open);
        let count = |slot: &Slot| store.domain(*slot).count();
        let slot = cells.min_by_key(count).or_else(|| reads.min_by_key(count))?;
        let domain = *store.domain(slot);
        self.evaluator.reset();
        let previous = self.evaluator.value(terms, self.task.previous, store.term(slot));
        let value = nearest(previous, &domain);
        let (lower, upper) = domain.halves()?;
        let (near, far) = if lower.contains(value.bits) { (lower, upper) } else { (upper, lower) };
        if domain.count() <= 2 {
            return Some((slot, vec![far, near]));
        }
        let rest = near.without(value.bits);
        Some((slot, [Some(far), rest, Some(Domain::singleton(value))].into_iter().flatten().collect()))
    }

    /// The model that takes the preferred value everywhere, if it holds.
    fn candidate(&mut self) -> Option<Model> {
        let Task { terms, part, previous, .. } = self.task;
        let mut model = previous.clone();
        for &var in &part.inputs {
            let value = match self.store.slot(terms.var(var).term) {
                Some(slot) => self.preferred(var, self.store.domain(slot)),
                None => previous.value(terms, var),
            };
            model.set(var, value);
        }
        self.evaluator.reset();
        let mut elements = Elements::default();
        for (number, &(var, term)) in part.definitions.iter().enumerate() {
            let reads = part.reads.as_ref().map_or(&[][..], |reads| reads.before(number));
            self.settle(&mut model, &mut elements, reads)?;
            let value = self.evaluator.value(terms, &model, term);
            model.set(var, Value { ty: value.ty, bits: value.bits });
        }
        self.settle(&mut model, &mut elements, part.reads.as_ref().map_or(&[], Reads::rest))?;
        let mut goals = part.goals.iter().rev();
        goals.all(|&goal| self.evaluator.is_true(terms, &model, goal)).then_some(model)
    }

    /// Gives what is read the preferred values; `None` if two of them differ at one index.
    fn settle(&mut self, model: &mut Model, elements: &mut Elements, reads: &[TermId]) -> Option<()> {
        let settled = reads.iter().all(|&read| match self.store.slot(read) {
            Some(slot) => elements.settle(self.task.terms, model, self.evaluator, read, self.store.domain(slot)),
            None => true,
        });
        settled.then_some(())
    }

    /// The value to try first: the least where the caller wants it low, otherwise the nearest to the previous model.
    fn preferred(&self, var: VarId, domain: &Domain) -> Value {
        match domain {
            Domain::Int(domain) if self.task.low.contains(&var) => Value::int(domain.width(), domain.unsigned_min()),
            _ => nearest(self.task.previous.value(self.task.terms, var), domain),
        }
    }
}

/// The value of a domain nearest to another one.
fn nearest(previous: Value, domain: &Domain) -> Value {
    if domain.contains(previous.bits) {
        return previous;
    }
    let bits = match domain {
        Domain::Bool(_) => 1 - previous.bits,
        Domain::Int(domain) => nearest_integer(previous.bits, domain),
        Domain::Float(domain) => {
            let hull = domain.hull();
            match key::of_bits(domain.format(), previous.bits) {
                _ if hull.is_empty() => key::nan(domain.format()),
                Some(at) => key::to_bits(domain.format(), at.clamp(hull.lo, hull.hi)),
                None => key::to_bits(domain.format(), 0.clamp(hull.lo, hull.hi)),
            }
        }
        Domain::Opaque => unreachable!("only scalars are labelled"),
    };
    Value { ty: previous.ty, bits }
}

/// The integer of a domain nearest to a previous one on the ring. Those beyond zero come last as long as there are others that
/// are not negative: what is to be large need not be as large as can be.
fn nearest_integer(previous: u128, domain: &IntDomain) -> u128 {
    let (above, below) = (domain.first_from(previous), domain.last_until(previous));
    let is_beyond_zero = below > previous && above > previous && above <= domain.mask() >> 1;
    let distance = |bits: u128| {
        let forward = bits.wrapping_sub(previous) & domain.mask();
        forward.min(forward.wrapping_neg() & domain.mask())
    };
    if is_beyond_zero || distance(above) <= distance(below) { above } else { below }
}

#[cfg(test)]
mod tests {
    use super::{Search, Task, nearest_integer};
    use crate::clock::Deadline;
    use crate::domain::int::{IntDomain, Interval};
    use crate::evaluate::Evaluator;
    use crate::model::Model;
    use crate::search::Variables;
    use crate::store::Store;
    use crate::term::Terms;

    /// What is tried for a byte below a bound, in this order: the values of each option.
    fn options(bound: u128, previous: u128) -> Vec<Vec<u128>> {
        let mut terms = Terms::new();
        let x = terms.int_var("x", 8);
        let bound = terms.int(8, bound);
        let goals = [terms.binary(clew_scalar::BinaryOp::Ult, x, bound)];
        let mut store = Store::default();
        store.post(&terms, goals[0], 0).expect("there are numbers below the bound");
        let mut variables = Variables::default();
        variables.extend(&terms, &goals);
        let part = variables.part(&terms, &goals, &[0]);
        let mut model = Model::new();
        model.set(part.inputs[0], clew_scalar::Value::int(8, previous));
        let task =
            Task { terms: &terms, part: &part, previous: &model, low: &[], steps: 0, deadline: Deadline::default() };
        let (store, evaluator) = (&mut store, &mut Evaluator::new());
        let base = store.levels();
        let mut search = Search { task, store, evaluator, base, frames: vec![], handles: None, refuting: vec![] };
        let (_, options) = search.choose().expect("the byte is open");
        options.iter().rev().map(|option| (0..256).filter(|&bits| option.contains(bits)).collect()).collect()
    }

    #[test]
    fn what_is_to_be_large_is_no_larger_than_need_be() {
        let nearest = |lo, hi, previous| nearest_integer(previous, &IntDomain::from_interval(8, Interval { lo, hi }));
        assert_eq!(nearest(2, 255, 0), 2);
        assert_eq!(nearest(100, 255, 1), 100);
        assert_eq!(nearest(200, 255, 0), 255);
        assert_eq!(nearest(200, 250, 255), 250);
        assert_eq!(nearest(6, 3, 4), 3);
        assert_eq!(nearest(128, 255, 127), 128);
    }

    #[test]
    fn a_value_at_an_end_is_tried_once() {
        assert_eq!(options(8, 0), [vec![0], vec![1, 2, 3], vec![4, 5, 6, 7]]);
        assert_eq!(options(8, 100), [vec![7], vec![4, 5, 6], vec![0, 1, 2, 3]]);
        assert_eq!(options(3, 2), [vec![2], vec![0, 1]]);
        assert_eq!(options(2, 1), [vec![1], vec![0]]);
    }
}
