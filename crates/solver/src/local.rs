//! Local search: a model found by moving a candidate downhill, for problems where propagation and splitting are slow.
//!
//! The asserted terms are compiled into a straight-line program; the cost of a candidate is the weighted sum of the
//! distances of its unmet goals. A round picks an unmet goal and tries, in this order: values proposed by inverting the
//! operators from the goal down to an input; a pattern search on each of its inputs. Where nothing helps, the unmet
//! goals gain weight (the breakout method, Morris 1993) and a random change is made; where that leads nowhere for long,
//! the search starts again elsewhere. Distances of floats are counted in ulps, after CoverMe and XSat (Fu, Su).
//!
//! The search is incomplete: it never says that there is no model. It is deterministic for a seed, its budget counts
//! computed terms, and what it returns has been checked by [`crate::evaluate`]. Equations between arrays are left to others.

mod compute;
mod distance;
mod invert;
mod moves;
mod program;
mod random;
mod state;
#[cfg(test)]
mod tests;

use crate::policy;
use std::collections::BTreeMap;

use clew_scalar::Value;

use crate::clock::Deadline;
use crate::evaluate::Evaluator;
use crate::model::{ArrayValue, Model};
use crate::term::{TermId, Terms, VarId};
use distance::Metric;
use program::Program;
use random::Random;
use state::State;

/// Rounds between two looks at the clock.
const CLOCK_INTERVAL: u32 = 16;

/// How far a search may go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effort {
    /// Terms that may be computed, about.
    pub(crate) steps: u64,
    /// When to give up whatever has been counted.
    pub(crate) deadline: Deadline,
    /// Seed of every random choice.
    pub(crate) seed: u64,
}

/// Looks for a model of the conjunction of `assertions`.
///
/// Starts from `start` when given, otherwise anywhere. `None` says nothing about satisfiability.
pub(crate) fn search(terms: &Terms, assertions: &[TermId], start: Option<&Model>, effort: Effort) -> Option<Model> {
    let program = program::compile(terms, assertions)?;
    let random = Random::new(effort.seed);
    let mut search =
        Search { state: State::new(&program), random, budget: effort.steps, deadline: effort.deadline, rounds: 0 };
    match start {
        Some(start) => search.load(start),
        None => search.restart(),
    }
    if search.has_unreachable_goal() {
        return None;
    }
    search.run().then(|| search.model(terms)).filter(|model| satisfies(terms, assertions, model))
}

/// Whether the model makes every assertion true.
fn satisfies(terms: &Terms, assertions: &[TermId], model: &Model) -> bool {
    let mut evaluator = Evaluator::new();
    assertions.iter().all(|&assertion| evaluator.is_true(terms, model, assertion))
}

struct Search<'p> {
    state: State<'p>,
    random: Random,
    budget: u64,
    deadline: Deadline,
    rounds: u32,
}

impl Search<'_> {
    fn program(&self) -> &Program {
        self.state.program
    }

    /// Takes the inputs from a model.
    fn load(&mut self, start: &Model) {
        for input in &self.state.program.inputs {
            let bits = match input.cell {
                None => start.bits(input.var),
                Some(index) => start.element(input.var, index),
            };
            self.state.bits[input.slot as usize] = state::canonical(input.ty, bits);
        }
        self.state.recompute();
    }

    /// Whether a goal that no input can change is not met: one about cells of arrays that are not inputs.
    fn has_unreachable_goal(&self) -> bool {
        self.state.unmet().any(|goal| self.program().goals[goal].inputs.is_empty())
    }

    /// Whether a solution was found within the budget.
    fn run(&mut self) -> bool {
        let mut best = f64::INFINITY;
        let mut limit = policy::WALK_STAGNATION.small();
        let mut patience = limit;
        loop {
            if self.state.is_settled() {
                if self.state.active() == self.program().goals.len() {
                    return true;
                }
                self.state.activate(self.state.active() + 1);
                best = f64::INFINITY;
                patience = limit;
                continue;
            }
            if self.state.steps >= self.budget || self.program().inputs.is_empty() || self.is_late() {
                return false;
            }
            self.round();
            let unweighted: f64 = self.state.unmet().map(|goal| self.state.goal_distance(goal)).sum();
            if unweighted < best {
                best = unweighted;
                patience = limit;
            } else if patience == 0 {
                self.restart();
                best = f64::INFINITY;
                limit += limit / 10;
                patience = limit;
            } else {
                patience -= 1;
            }
        }
    }

    /// Whether the deadline has passed, looked up now and then.
    fn is_late(&mut self) -> bool {
        self.rounds = self.rounds.wrapping_add(1);
        self.rounds.is_multiple_of(CLOCK_INTERVAL) && self.deadline.has_passed()
    }

    /// Improves one unmet goal, or leaves the local minimum. Counts as a step even where nothing is computed, so that
    /// rounds end.
    fn round(&mut self) {
        self.state.steps += 1;
        let unmet: Vec<usize> = self.state.unmet().collect();
        let simplest = unmet.iter().copied().min_by_key(|&goal| self.program().goals[goal].inputs.len());
        let goal = if self.random.one_in(2) { simplest } else { self.random.pick(&unmet) };
        let goal = goal.expect("a round has an unmet goal");
        if self.invert(goal) || self.descend(goal) {
            return;
        }
        for &goal in &unmet {
            self.state.weights[goal] += 1.0;
        }
        self.state.sum_cost();
        self.perturb(goal);
    }

    /// Tries inversions of the goal.
    fn invert(&mut self, goal: usize) -> bool {
        (0..policy::WALK_PROPOSALS.size()).any(|_| {
            let proposal = invert::propose(&self.state, goal, &mut self.random);
            proposal.is_some_and(|(input, bits)| moves::improves(&mut self.state, input, bits))
        })
    }

    /// Tries the pattern search on some inputs of the goal.
    fn descend(&mut self, goal: usize) -> bool {
        let mut inputs = self.program().goals[goal].inputs.clone();
        self.random.shuffle(&mut inputs);
        let budget = self.budget;
        inputs.into_iter().take(policy::WALK_VARIED.size()).any(|input| moves::descend(&mut self.state, input, budget))
    }

    /// A random change of an input of the goal, for better or worse.
    fn perturb(&mut self, goal: usize) {
        let change = match self.random.below(3) {
            0 => invert::propose(&self.state, goal, &mut self.random),
            _ => None,
        };
        let (input, bits) = match change {
            Some(change) => change,
            None => {
                let inputs = &self.state.program.goals[goal].inputs;
                let Some(input) = self.random.pick(inputs) else { return };
                let now = self.state.input(input);
                (input, moves::random_value(self.state.program, input, now, &mut self.random))
            }
        };
        self.state.change(input, bits);
    }

    /// A new beginning: a random candidate, of floats the best of a few, under a random metric; weights as at first. Half of the
    /// time the goals are taken up one after the other.
    fn restart(&mut self) {
        let goals = self.program().goals.len();
        self.state.weights.fill(1.0);
        self.state.metric = if self.random.one_in(3) { Metric::Linear } else { Metric::Logarithmic };
        self.state.activate(goals);
        let has_floats = self.program().inputs.iter().any(|input| input.ty.is_float());
        let candidates = if has_floats { policy::WALK_CANDIDATES.size() } else { 1 };
        let mut best = (f64::INFINITY, Vec::new());
        for _ in 0..candidates {
            self.scatter();
            if self.state.cost < best.0 || best.1.is_empty() {
                best = (self.state.cost, self.state.bits.clone());
            }
        }
        self.state.bits = best.1;
        self.state.recompute();
        self.state.activate(if self.random.one_in(2) { goals } else { goals.min(1) });
    }

    /// Every input random, of everyday magnitude half of the time, or all of them the same plain number.
    fn scatter(&mut self) {
        let program = self.state.program;
        let (kind, plain) = (self.random.below(4), self.random.below(moves::PLAIN));
        for (index, input) in program.inputs.iter().enumerate() {
            let bits = match kind {
                0 => moves::plain(input.ty, plain),
                1 => moves::random_value(program, index, 0, &mut self.random),
                _ => moves::moderate(input.ty, &mut self.random),
            };
            self.state.bits[input.slot as usize] = state::canonical(input.ty, bits);
        }
        self.state.recompute();
    }

    /// The values of all variables the program knows.
    fn model(&self, terms: &Terms) -> Model {
        let mut model = Model::new();
        let scalars = self.program().inputs.iter().filter(|input| input.cell.is_none());
        for (var, slot) in scalars.map(|input| (input.var, input.slot)).chain(self.program().defined.iter().copied()) {
            let ty = terms.ty(terms.var(var).term);
            model.set(var, Value { ty, bits: self.state.bits[slot as usize] });
        }
        let mut arrays: BTreeMap<VarId, ArrayValue> = BTreeMap::new();
        for input in &self.program().inputs {
            if let Some(index) = input.cell {
                let bits = self.state.bits[input.slot as usize];
                arrays.entry(input.var).or_default().entries.insert(index, bits);
            }
        }
        for (var, array) in arrays {
            model.set_array(var, array);
        }
        model
    }
}
