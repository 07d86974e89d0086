//! The layers, each as one method of the solver that may have the verdict on a part; the back end is in `back_end`.
//!
//! A layer that finds a model gives it to `Solver::adopt`, which evaluates it. A layer that refutes names the assertions its
//! refutation rests on.

use clew_scalar::Value;

use super::Solver;
use super::answer::Verdict;
use super::turn::Turn;
use crate::algebra::{self, Numbers};
use crate::clock::Deadline;
use crate::domain::Conflict;
use crate::equate;
use crate::local::{self, Effort};
use crate::model::Model;
use crate::order;
use crate::policy;
use crate::relaxation;
use crate::repair;
use crate::residue;
use crate::search::{self, Part, SearchResult, Task};

/// A layer of the solver that can be switched off: those before are an assertion that simplification has made a constant, the
/// last model, and propagation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    /// A small change of the last model.
    Repair,
    /// Circles of comparisons.
    Order,
    /// Equations put into the other assertions.
    Equate,
    /// Equations on the lowest bits.
    Residue,
    /// Polynomial consequences.
    Algebra,
    /// Values for inputs, tried in depth.
    Labelling(Near),
    /// Open conditions and signs, tried both ways.
    Probing,
    /// A linear program.
    Relaxation,
    /// Candidates moved downhill.
    LocalSearch,
    /// Circuits for a SAT solver.
    BackEnd(Goals),
}

/// Where labelling begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Near {
    /// At the last model: what is asked next is most often asked of inputs near it.
    LastModel,
    /// At zero.
    Zero,
    /// At a point that has nothing to do with small numbers, for products wrap around.
    Scattered,
}

/// Which goals of a part the back end is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goals {
    /// All.
    All,
    /// All, to the plain SAT solver alone.
    AllPlainly,
    /// Those without heavy operators.
    Light,
    /// Those without floats.
    Integers,
}

/// The layers that queries pass through, by the names of their modules, cheapest first. `docs/solver.md` describes them.
pub const LAYERS: [&str; 12] = [
    "simplify",
    "last model",
    "repair",
    "store",
    "order",
    "equate",
    "residue",
    "algebra",
    "search",
    "relaxation",
    "local",
    "blast",
];

/// Multiples of this number, the golden section of the ring, lie apart from each other.
const SCATTER: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;

impl Layer {
    /// Whether the policy has the layer switched on. Those without which there might be no answer always are.
    pub(super) fn is_on(self) -> bool {
        match self {
            Layer::Repair => policy::USE_REPAIR.is_on(),
            Layer::Order => policy::USE_ORDER.is_on(),
            Layer::Equate => policy::USE_EQUATE.is_on(),
            Layer::Residue => policy::USE_RESIDUE.is_on(),
            Layer::Algebra => policy::USE_ALGEBRA.is_on(),
            Layer::Labelling(near) => match near {
                Near::LastModel => policy::USE_LABELLING.is_on(),
                Near::Zero => policy::USE_LABELLING_NEAR_ZERO.is_on(),
                Near::Scattered => policy::USE_LABELLING_SCATTERED.is_on(),
            },
            Layer::Probing => policy::USE_PROBING.is_on(),
            Layer::Relaxation => policy::USE_RELAXATION.is_on(),
            Layer::LocalSearch => policy::USE_LOCAL_SEARCH.is_on(),
            Layer::BackEnd(goals) => match goals {
                Goals::All => true,
                Goals::AllPlainly => policy::USE_PLAIN_FIRST.is_on(),
                Goals::Light => policy::USE_LIGHT_FIRST.is_on(),
                Goals::Integers => policy::USE_INTEGERS_FIRST.is_on(),
            },
        }
    }
}

impl Solver {
    /// Whether a small change of the last model makes the assertions hold that do not. Repair evaluates each assertion that has
    /// a variable it changes.
    pub(super) fn repair(&mut self, failing: &[usize]) -> bool {
        let task = repair::Task {
            terms: &self.terms,
            assertions: &self.assertions,
            failing,
            last: &self.last_model,
            base: &self.evaluator,
            fixed: &self.low,
        };
        let Some((model, changed)) = repair::repair(task, &mut self.scratch) else { return false };
        self.statistics.by_repair += 1;
        self.evaluator.follow(&self.terms, changed, &self.scratch);
        self.last_model = model;
        self.verified = self.assertions.len();
        true
    }

    /// Posts what has not been posted; the verdict if that is a conflict.
    pub(super) fn propagate(&mut self) -> Option<Verdict> {
        for position in self.store.levels()..self.assertions.len() {
            if let Err(Conflict) = self.store.post(&self.terms, self.assertions[position], position) {
                let verdict = self.refuted_by_propagation();
                self.store.undo(position);
                return Some(verdict);
            }
        }
        None
    }

    /// Refutes conditions of choices, at a level of their own, within so many steps; the verdict if that is a conflict.
    pub(super) fn probe(&mut self, steps: u64) -> Option<Verdict> {
        self.store.open();
        self.store.probe(&self.terms, steps).err().map(|Conflict| self.refuted_by_propagation())
    }

    /// The verdict that the conflict the store has just met makes.
    fn refuted_by_propagation(&mut self) -> Verdict {
        self.statistics.by_propagation += 1;
        let core = self.store.explain_conflict().assertions;
        Verdict::Unsat(core.into_iter().map(|number| number as usize).collect())
    }

    /// The linear relaxation of a part: the verdict if that refutes it, or if its point leads to a model.
    pub(super) fn relax(&mut self, part: &Part, labelling: u64, turn: &Turn) -> Option<Verdict> {
        match relaxation::relax(&self.terms, &self.store, part) {
            relaxation::Relaxed::Refuted => {
                self.statistics.by_relaxation += 1;
                Some(Verdict::Unsat(part.assertions.clone()))
            }
            relaxation::Relaxed::Hint(values) => {
                let mut near = self.last_model.clone();
                values.into_iter().for_each(|(var, value)| near.set(var, value));
                let found = self.label_near(part, labelling, turn.deadline, &near);
                found.or_else(|| self.walk(part, turn.walking, turn, Some(&near)))
            }
            relaxation::Relaxed::Nothing => None,
        }
    }

    /// The verdict if a part is refuted by comparisons, those of some assertions that fail and those that domains imply.
    pub(super) fn order(&mut self, part: &Part, failing: &[usize]) -> Option<Verdict> {
        let core = order::refute(&self.terms, &self.store, part, failing)?;
        self.statistics.by_order += 1;
        Some(Verdict::Unsat(core))
    }

    /// The verdict if a part is refuted by its equations and the values that propagation has found.
    pub(super) fn equate(&mut self, part: &Part) -> Option<Verdict> {
        let core = equate::refute_with_values(&mut self.terms, part, &self.store)?;
        self.statistics.by_equations += 1;
        Some(Verdict::Unsat(core))
    }

    /// The verdict if equations put into the other assertions, or tried on the lowest bits, contradict each other.
    pub(super) fn refute_equations(&mut self, part: &Part) -> Option<Verdict> {
        let equated = if Layer::Equate.is_on() { equate::refute(&mut self.terms, part) } else { None };
        let tried = || if Layer::Residue.is_on() { residue::refute(&self.terms, part) } else { None };
        let core = equated.or_else(tried)?;
        self.statistics.by_equations += 1;
        Some(Verdict::Unsat(core))
    }

    /// The verdict if the polynomials of a part contradict each other.
    pub(super) fn refute_polynomials(&mut self, part: &Part, numbers: Numbers) -> Option<Verdict> {
        let core = algebra::refute(&self.terms, &self.store, part, numbers)?;
        self.statistics.by_equations += 1;
        Some(Verdict::Unsat(core))
    }

    /// Labels a part near a point; the rest keeps the last model.
    pub(super) fn label(&mut self, part: &Part, steps: u64, deadline: Deadline, near: Near) -> Option<Verdict> {
        let mut point = self.last_model.clone();
        if near != Near::LastModel {
            for &var in &part.inputs {
                let bits = if near == Near::Zero { 0 } else { (var.index() as u128 + 1).wrapping_mul(SCATTER) };
                point.set(var, Value::new(self.terms.ty(self.terms.var(var).term), bits));
            }
        }
        self.label_near(part, steps, deadline, &point)
    }

    fn label_near(&mut self, part: &Part, steps: u64, deadline: Deadline, point: &Model) -> Option<Verdict> {
        let task = Task { terms: &self.terms, part, previous: point, low: &self.low, steps, deadline };
        match search::search(task, &mut self.store, &mut self.scratch) {
            SearchResult::Found(model) => {
                self.statistics.by_search += 1;
                Some(self.adopt(model))
            }
            SearchResult::Refuted(core) => {
                self.statistics.by_search += 1;
                Some(Verdict::Unsat(core.into_iter().map(|number| number as usize).collect()))
            }
            SearchResult::GaveUp => None,
        }
    }

    /// Local search in a part, at first from the last model or another one; the rest keeps the last model.
    pub(super) fn walk(&mut self, part: &Part, steps: u64, turn: &Turn, near: Option<&Model>) -> Option<Verdict> {
        let seed = self.config.seed.wrapping_add(turn.number.into());
        // What the last model is good for has been seen in the first turn.
        let start = near.or((turn.number == 0).then_some(&self.last_model));
        let found = local::search(&self.terms, &part.goals, start, Effort { steps, deadline: turn.deadline, seed })?;
        self.statistics.by_local_search += 1;
        let model = self.merged(part, &found);
        Some(self.adopt(model))
    }
}
