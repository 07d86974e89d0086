//! A candidate with the bits of all slots, computed again only where an input changed, and taken back at will.

use clew_scalar::Type;

use super::compute::compute;
use super::distance::{Distance, Metric, Ruler};
use super::program::{Program, Slot};
use crate::clock;

/// A candidate and everything computed from it.
pub(super) struct State<'a> {
    pub(super) program: &'a Program,
    pub(super) bits: Vec<u128>,
    distances: Vec<Distance>,
    /// How distances are measured; after a change of metric everything must be computed again.
    pub(super) metric: Metric,
    /// Weight of each goal in the cost.
    pub(super) weights: Vec<f64>,
    /// Only the first so many goals count.
    active: usize,
    /// The number of slots the active goals need; those beyond are stale.
    horizon: Slot,
    /// Goals by slot, to update the cost.
    goals_at: Vec<Vec<u32>>,
    /// Weighted sum of the distances of the active goals; zero for a solution, up to rounding.
    pub(super) cost: f64,
    /// What the last change overwrote.
    undo: Vec<(Slot, u128, Distance)>,
    undo_cost: f64,
    /// Slots computed so far.
    pub(super) steps: u64,
}

impl<'a> State<'a> {
    /// The candidate with all inputs zero.
    pub(super) fn new(program: &'a Program) -> State<'a> {
        let slots = program.steps.len();
        let mut goals_at = vec![Vec::new(); slots];
        for (goal, index) in program.goals.iter().zip(0..) {
            goals_at[goal.slot as usize].push(index);
        }
        let mut state = State {
            program,
            bits: vec![0; slots],
            distances: vec![Distance { to_true: 0.0, to_false: 0.0 }; slots],
            metric: Metric::Logarithmic,
            weights: vec![1.0; program.goals.len()],
            active: program.goals.len(),
            horizon: slots as Slot,
            goals_at,
            cost: 0.0,
            undo: Vec::new(),
            undo_cost: 0.0,
            steps: 0,
        };
        state.recompute();
        state
    }

    /// Computes everything from the inputs.
    pub(super) fn recompute(&mut self) {
        self.compute_from(0);
    }

    /// How many goals count.
    pub(super) fn active(&self) -> usize {
        self.active
    }

    /// Makes only the first so many goals count.
    pub(super) fn activate(&mut self, goals: usize) {
        let fresh = self.horizon;
        self.active = goals;
        let needed = self.program.goals[..goals].iter().map(|goal| goal.slot + 1).max();
        self.horizon = needed.unwrap_or(0);
        self.compute_from(fresh);
    }

    /// Computes the slots that the active goals need, from one on.
    fn compute_from(&mut self, first: Slot) {
        for slot in first..self.horizon {
            self.bits[slot as usize] = compute(self.program, &self.bits, slot);
            if self.program.skeleton[slot as usize] {
                self.distances[slot as usize] = self.measure(slot);
            }
        }
        let computed = u64::from(self.horizon.saturating_sub(first));
        self.steps += computed;
        clock::spend(computed * clock::MOVE);
        self.undo.clear();
        self.sum_cost();
    }

    /// The cost from scratch, after weights changed and against drift of the running sum.
    pub(super) fn sum_cost(&mut self) {
        self.cost = (0..self.active).map(|goal| self.weights[goal] * self.goal_distance(goal)).sum();
    }

    /// How far a goal is from being met.
    pub(super) fn goal_distance(&self, goal: usize) -> f64 {
        let goal = &self.program.goals[goal];
        self.distances[goal.slot as usize].to(goal.truth)
    }

    /// Whether every active goal is met.
    pub(super) fn is_settled(&self) -> bool {
        self.unmet().next().is_none()
    }

    /// The active goals that are not met.
    pub(super) fn unmet(&self) -> impl Iterator<Item = usize> {
        let goals = self.program.goals[..self.active].iter().enumerate();
        goals.filter(|(_, goal)| (self.bits[goal.slot as usize] != 0) != goal.truth).map(|(index, _)| index)
    }

    /// The bits of an input.
    pub(super) fn input(&self, input: usize) -> u128 {
        self.bits[self.program.inputs[input].slot as usize]
    }

    /// Gives an input other bits; the change can be taken back until the next one.
    pub(super) fn change(&mut self, input: usize, bits: u128) {
        let program = self.program;
        let input = &program.inputs[input];
        self.undo.clear();
        self.undo_cost = self.cost;
        self.steps += 1;
        let bits = canonical(input.ty, bits);
        self.store(input.slot, bits);
        let horizon = self.horizon;
        for &slot in input.cone.iter().take_while(|&&slot| slot < horizon) {
            self.steps += 1;
            clock::spend(clock::MOVE);
            let bits = compute(program, &self.bits, slot);
            self.store(slot, bits);
        }
    }

    /// Takes the last change back.
    pub(super) fn take_back(&mut self) {
        while let Some((slot, bits, distance)) = self.undo.pop() {
            self.bits[slot as usize] = bits;
            self.distances[slot as usize] = distance;
        }
        self.cost = self.undo_cost;
    }

    fn measure(&self, slot: Slot) -> Distance {
        let ruler = Ruler { program: self.program, bits: &self.bits, distances: &self.distances, metric: self.metric };
        ruler.distance(slot)
    }

    fn store(&mut self, slot: Slot, bits: u128) {
        let index = slot as usize;
        let before = (self.bits[index], self.distances[index]);
        self.bits[index] = bits;
        if self.program.skeleton[index] {
            let after = self.measure(slot);
            self.distances[index] = after;
            for &goal in self.goals_at[index].iter().filter(|&&goal| (goal as usize) < self.active) {
                let truth = self.program.goals[goal as usize].truth;
                self.cost += self.weights[goal as usize] * (after.to(truth) - before.1.to(truth));
            }
        }
        if bits != before.0 || self.distances[index] != before.1 {
            self.undo.push((slot, before.0, before.1));
        }
    }
}

/// Bits with every NaN made the canonical one.
pub(super) fn canonical(ty: Type, bits: u128) -> u128 {
    match ty {
        Type::Float(format) if format.is_nan(bits) => format.canonical_nan(),
        _ => bits,
    }
}
