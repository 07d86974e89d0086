//! Turns of the heavier layers: which layer works when, and how far it may go before the next one has its go.
//!
//! The plan is data: each turn is a list of steps, a step is a layer, a guard on the weight of the part, and a budget. Budgets
//! grow by a constant factor from turn to turn, so that a layer that is wrong for a problem costs no more than a share of the
//! one that is right for it. The numbers are rows of `policy`.

use super::Solver;
use super::answer::{Reason, Verdict};
use super::config::{Budget, STEPS_PER_CONFLICT};
use super::layer::{Goals, Layer, Near};
use crate::algebra::Numbers;
use crate::blast::Blaster;
use crate::clock::Deadline;
use crate::policy;
use crate::search::{Part, Weight};
use crate::term::VarId;

/// A row of a plan.
struct Step {
    layer: Layer,
    /// The parts for which the layer is asked.
    when: fn(Weight) -> bool,
    /// How far it may go, in steps of its own: propagators run, terms computed, conflicts.
    budget: fn(&Turn) -> u64,
}

const fn step(layer: Layer, when: fn(Weight) -> bool, budget: fn(&Turn) -> u64) -> Step {
    Step { layer, when, budget }
}

/// The first turn. What answers most questions about small circuits comes first, none of it for long. Relaxation and local
/// search come before the back end where circuits are large or have floats, after it otherwise.
const FIRST_TURN: &[Step] = &[
    step(Layer::Labelling(Near::LastModel), is_small, short_labelling),
    step(Layer::Order, is_small, unlimited),
    step(Layer::Equate, is_small, unlimited),
    step(Layer::LocalSearch, is_small, short_walk),
    step(Layer::BackEnd(Goals::AllPlainly), is_small, |turn| turn.conflicts),
    step(Layer::Labelling(Near::LastModel), always, |turn| turn.labelling),
    step(Layer::Probing, is_medium, |turn| (turn.labelling / 2).max(policy::PROBE_STEPS_LEAST.get())),
    step(Layer::Probing, |weight| !is_medium(weight), |turn| 2 * turn.labelling),
    step(Layer::Order, always, unlimited),
    step(Layer::Equate, always, unlimited),
    step(Layer::Algebra, is_integers, unlimited),
    step(Layer::Labelling(Near::Zero), has_heavy_floats, |turn| turn.labelling / policy::ZERO_LABEL_DIVISOR.get()),
    step(Layer::BackEnd(Goals::Integers), has_floats, |turn| turn.conflicts),
    step(Layer::LocalSearch, is_integers, short_walk),
    step(Layer::BackEnd(Goals::Light), is_large_integers, |_| policy::LIGHT_CONFLICTS.get()),
    step(Layer::Labelling(Near::Zero), is_large_integers, |turn| turn.labelling),
    step(Layer::Labelling(Near::Scattered), is_large_integers, |turn| turn.labelling),
    step(Layer::BackEnd(Goals::All), is_early, |turn| turn.conflicts),
    step(Layer::Relaxation, always, |turn| turn.labelling),
    step(Layer::LocalSearch, always, |turn| turn.walking),
    step(Layer::BackEnd(Goals::All), |weight| !is_early(weight), |turn| turn.conflicts),
];

/// Every later turn, the back end before local search where there are only integers.
const LATER_TURN: &[Step] = &[
    step(Layer::Labelling(Near::LastModel), always, |turn| turn.labelling),
    step(Layer::Labelling(Near::Zero), always, |turn| turn.labelling),
    step(Layer::BackEnd(Goals::All), is_integers, |turn| turn.conflicts),
    step(Layer::LocalSearch, always, |turn| turn.walking),
    step(Layer::BackEnd(Goals::All), has_floats, |turn| turn.conflicts),
];

/// The only turn of [`Engine::Propagation`](super::Engine::Propagation).
const PROPAGATION_TURN: &[Step] = &[
    step(Layer::Labelling(Near::LastModel), always, |turn| turn.labelling),
    step(Layer::Probing, always, |turn| 2 * turn.labelling),
    step(Layer::Relaxation, always, |turn| turn.labelling),
    step(Layer::Labelling(Near::LastModel), always, |turn| turn.left - turn.labelling),
    step(Layer::LocalSearch, always, |turn| turn.left.min(policy::WALK_STEPS_MAX.get())),
];

fn always(_: Weight) -> bool {
    true
}

fn has_floats(weight: Weight) -> bool {
    weight.floats
}

fn has_heavy_floats(weight: Weight) -> bool {
    weight.floats && weight.gates > policy::MAX_GATES_MEDIUM.get()
}

fn is_integers(weight: Weight) -> bool {
    !weight.floats
}

fn is_small(weight: Weight) -> bool {
    is_medium(weight) && !weight.tables && weight.gates <= policy::MAX_GATES_SMALL.get()
}

fn is_medium(weight: Weight) -> bool {
    !weight.floats && weight.gates <= policy::MAX_GATES_MEDIUM.get()
}

fn is_large_integers(weight: Weight) -> bool {
    !weight.floats && !is_medium(weight)
}

/// Whether the back end comes before relaxation and local search.
fn is_early(weight: Weight) -> bool {
    !weight.floats && weight.gates <= policy::MAX_GATES_LARGE.get()
}

fn unlimited(_: &Turn) -> u64 {
    u64::MAX
}

fn short_labelling(turn: &Turn) -> u64 {
    policy::LABEL_STEPS_LEAST.get().min(turn.labelling)
}

fn short_walk(turn: &Turn) -> u64 {
    policy::WALK_STEPS_SHORT.get().min(turn.walking)
}

/// How far each of the heavier layers may go in a turn.
pub(super) struct Turn {
    pub(super) number: u32,
    /// How many times as far as in the first turn.
    pub(super) growth: u64,
    /// Propagators that labelling may run.
    pub(super) labelling: u64,
    /// Terms that local search may compute.
    pub(super) walking: u64,
    /// Conflicts of the back end.
    pub(super) conflicts: u64,
    /// Steps that were left when the turn began.
    left: u64,
    pub(super) deadline: Deadline,
}

impl Turn {
    fn new(number: u32, labelling: u64, left: u64, deadline: Deadline) -> Turn {
        let bits = number.saturating_mul(policy::TURN_GROWTH_BITS.small());
        let growth = 1u64.checked_shl(bits).unwrap_or(u64::MAX);
        let share = |steps: u64| steps.saturating_mul(growth).min(left);
        Turn {
            number,
            growth,
            labelling: share(labelling),
            walking: share(policy::WALK_STEPS.get()).min(policy::WALK_STEPS_MAX.get()),
            conflicts: share(policy::TURN_CONFLICTS.get() * STEPS_PER_CONFLICT) / STEPS_PER_CONFLICT,
            left,
            deadline,
        }
    }

    /// The steps the turn may take, which is at least one, so that turns come to an end.
    fn steps(&self) -> u64 {
        (self.labelling + self.walking + self.conflicts * STEPS_PER_CONFLICT).max(1)
    }
}

impl Solver {
    /// The heavier layers in turns, each turn going further, until one of them has the answer.
    pub(super) fn escalate(&mut self, part: &Part, budget: &Budget) -> Verdict {
        let weight = part.weight(&self.terms);
        let labelling = self.label_steps(part, weight);
        let mut alone = None;
        let mut left = budget.steps.unwrap_or(u64::MAX);
        for number in 0.. {
            let turn = Turn::new(number, labelling * label_factor(number, weight), left, budget.deadline);
            let plan = if number == 0 { FIRST_TURN } else { LATER_TURN };
            if let Some(verdict) = self.run_plan(plan, part, weight, &turn, &mut alone) {
                return verdict;
            }
            if budget.is_late() {
                return Verdict::Unknown(Reason::Time);
            }
            left = left.saturating_sub(turn.steps());
            if left == 0 {
                return Verdict::Unknown(Reason::Steps);
            }
        }
        unreachable!("turns end with an answer or with the budget")
    }

    /// Labelling, then local search, with all of the budget each.
    pub(super) fn search(&mut self, part: &Part, budget: &Budget) -> Verdict {
        let steps = budget.steps.unwrap_or(u64::MAX / 2);
        let turn = Turn::new(0, policy::LABEL_STEPS_FLOATS.get(), steps, budget.deadline);
        let weight = part.weight(&self.terms);
        let found = self.run_plan(PROPAGATION_TURN, part, weight, &turn, &mut None);
        let reason = if budget.is_late() { Reason::Time } else { Reason::Steps };
        found.unwrap_or(Verdict::Unknown(reason))
    }

    /// The steps of a plan, until one of them has the answer.
    fn run_plan(
        &mut self,
        plan: &[Step],
        part: &Part,
        weight: Weight,
        turn: &Turn,
        alone: &mut Option<Blaster>,
    ) -> Option<Verdict> {
        let wanted = plan.iter().filter(|step| (step.when)(weight) && step.layer.is_on());
        wanted.into_iter().find_map(|step| {
            let budget = (step.budget)(turn);
            match step.layer {
                Layer::Labelling(near) => self.label(part, budget, turn.deadline, near),
                Layer::Probing => self.probe(budget),
                Layer::Order => self.order(part, &[]),
                Layer::Equate => self.equate(part),
                Layer::Relaxation => self.relax(part, budget, turn),
                Layer::LocalSearch => self.walk(part, budget, turn, None),
                Layer::BackEnd(goals) => self.blast_goals(goals, part, weight, budget, turn, alone),
                Layer::Algebra => self.refute_polynomials(part, Numbers::Any),
                Layer::Repair | Layer::Residue => unreachable!("what comes before the first turn is in no plan"),
            }
        })
    }

    /// Propagators that labelling may run in the first turn.
    fn label_steps(&self, part: &Part, weight: Weight) -> u64 {
        if weight.floats {
            return policy::LABEL_STEPS_FLOATS.get();
        }
        let most = u128::from(policy::MAX_COMBINATIONS.get());
        let few = if weight.tables { Some(self.combinations(part)).filter(|&count| count <= most) } else { None };
        let of_gates = (weight.gates / 2).clamp(policy::LABEL_STEPS_LEAST.get(), policy::LABEL_STEPS_INTEGERS.get());
        let of_inputs = policy::LABEL_STEPS_PER_INPUT.get() * part.inputs.len() as u64;
        of_gates + of_inputs + policy::LABEL_STEPS_PER_COMBINATION.get() * few.unwrap_or(0) as u64
    }

    /// How many combinations of values there are to try of all inputs but the one with the most values, which is what
    /// propagation finds once the others are fixed.
    fn combinations(&self, part: &Part) -> u128 {
        let count = |var: &VarId| {
            let slot = self.store.slot(self.terms.var(*var).term);
            slot.map_or(u128::MAX, |slot| self.store.domain(slot).count())
        };
        let mut counts: Vec<u128> = part.inputs.iter().map(count).collect();
        counts.sort_unstable();
        counts.pop();
        counts.into_iter().fold(1, u128::saturating_mul)
    }
}

/// How many times the steps labelling has where circuits are too heavy for the first turn.
fn label_factor(number: u32, weight: Weight) -> u64 {
    let is_heavy = !weight.floats && weight.gates > policy::MAX_GATES_FIRST_TURN.get();
    if number > 0 && is_heavy { policy::HEAVY_LABEL_FACTOR.get() } else { 1 }
}
