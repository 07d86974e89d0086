//! The incremental interface: assertions in scopes, and answers that have been checked.
//!
//! A query passes through layers, cheapest first, composed in `Solver::decide`: an assertion that is plainly false;
//! the last model, if it still holds or a small change repairs it; propagation; then, in turns with growing patience,
//! labelling, linear relaxation, local search and the complete back end. Only the part connected to the assertions that fail
//! under the last model is solved; the other variables keep their values. Every model is evaluated before it is returned,
//! whichever layer found it.
//!
//! Scopes: [`Solver::push`] opens one, [`Solver::pop`] closes it and takes back its assertions **and the terms and
//! variables created inside it**. Terms that must outlive a scope are to be created before it is opened.
//!
//! Answers depend on the assertions, the configuration (seed included), the budget in steps, and the queries before;
//! the wall clock enters only through [`Budget::deadline`], and then the answer says so.

mod answer;
mod back_end;
mod config;
mod turn;

use clew_scalar::Value;

use crate::blast::Blaster;
use crate::clock::Deadline;
use crate::domain::Conflict;
use crate::domain::int::IntDomain;
use crate::equate;
use crate::evaluate::Evaluator;
use crate::local::{self, Effort};
use crate::model::{Assigned, Model};
use crate::order;
use crate::relaxation;
use crate::repair;
use crate::residue;
use crate::search::{self, Outcome, Part, Task, Variables, Weight};
use crate::store::{Domain, Store};
use crate::term::{Mark, TermId, Terms, VarId};

pub use answer::{Answer, AssertionId, Core, Reason, Statistics};
use answer::{Verdict, split_core};
use back_end::LIGHT;
pub use config::{Budget, Config, Engine, STEPS_PER_CONFLICT};
use turn::{LOCAL_LIMIT, SHORT_WALK, Turn};

/// Contractors that labelling may run in the first turn; each later turn has four times as many.
const LABEL_STEPS: u64 = 2_000;
/// The same where there are only integers, and for each of them: the back end comes next, and is quick with few. Fewer where
/// there are few gates, as many as it takes to make half of them, for that is what the back end takes.
const LABEL_STEPS_OF_INTEGERS: u64 = 1_000;
const LEAST_LABEL_STEPS: u64 = 300;
const LABEL_STEPS_OF_INTEGER: u64 = 20;
/// The same for each combination of values where tables are read, which are dear as circuits, and the combinations few.
const LABEL_STEPS_OF_COMBINATION: u64 = 48;
const MOST_COMBINATIONS: u128 = 1_024;
/// Parts of integers whose circuits are not heavier than this go there after no more than labelling and a short walk.
const DEAR: u64 = 5_000;
/// Those whose circuits are not heavier than this go to the plain solver of the back end before anything takes longer than that.
const QUICK: u64 = 1_200;
/// Those whose circuits are heavier than this are labelled near zero before; with floats, whose contractors are dear as well,
/// for so small a share of the steps.
const CHEAP: u64 = 4_000;
const GLANCE: u64 = 8;
/// Multiples of this number, the golden section of the ring, lie apart from each other.
const SCATTER: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;

/// Probing has twice the steps of labelling; where circuits are cheap, half of them, and so many at least: it seldom finds more
/// than circuits do.
const LEAST_PROBE_STEPS: u64 = 400;

/// Labelling has so many times the steps, from the second turn on, where circuits are too heavy for the first one.
const HEAVY_SHARE: u64 = 8;

struct Scope {
    assertions: usize,
    mark: Mark,
}

/// Assertions over terms it owns, and what is known about them.
pub struct Solver {
    terms: Terms,
    assertions: Vec<TermId>,
    /// How many of the assertions the back end takes as given: those in no scope, unless cores are to tell them apart.
    lasting: usize,
    fine_cores: bool,
    scopes: Vec<Scope>,
    /// The last model found; new queries start from it.
    last_model: Model,
    /// So many assertions, from the first, hold under the last model.
    verified: usize,
    /// Values under the last model.
    evaluator: Evaluator,
    /// Values under candidates.
    scratch: Evaluator,
    /// Domains; assertion `n` was posted at level `n`.
    store: Store,
    variables: Variables,
    /// Variables that should be as low as possible, first things first.
    low: Vec<VarId>,
    blaster: Blaster,
    config: Config,
    statistics: Statistics,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new(Config::default())
    }
}

impl Solver {
    /// A solver without assertions.
    pub fn new(config: Config) -> Solver {
        Solver {
            terms: if config.raw { Terms::raw() } else { Terms::new() },
            assertions: Vec::new(),
            lasting: 0,
            fine_cores: false,
            scopes: Vec::new(),
            last_model: Model::new(),
            verified: 0,
            evaluator: Evaluator::new(),
            scratch: Evaluator::new(),
            store: Store::default(),
            variables: Variables::default(),
            low: Vec::new(),
            blaster: Blaster::new(),
            config,
            statistics: Statistics::default(),
        }
    }

    /// The terms.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The terms, to build more.
    pub fn terms_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }

    /// How often each layer answered.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// The assertions that hold, in order.
    pub fn assertions(&self) -> &[TermId] {
        &self.assertions
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.scopes.push(Scope { assertions: self.assertions.len(), mark: self.terms.mark() });
    }

    /// Closes the innermost scope: its assertions, terms and variables are gone.
    ///
    /// # Panics
    /// When no scope is open.
    pub fn pop(&mut self) {
        let scope = self.scopes.pop().expect("a scope is open");
        self.drop_assertions(scope.assertions);
        self.release(scope.mark);
    }

    fn drop_assertions(&mut self, kept: usize) {
        self.assertions.truncate(kept);
        self.store.undo(kept);
        self.variables.truncate(kept);
        self.verified = self.verified.min(kept);
    }

    fn release(&mut self, mark: Mark) {
        self.blaster.release(mark);
        self.evaluator.release(mark);
        self.scratch.release(mark);
        self.store.release(mark);
        self.variables.release(mark);
        self.low.retain(|var| var.index() < mark.vars());
        self.last_model.truncate(mark.vars());
        self.terms.release(mark);
    }

    /// Makes the assertions the first `common` of the present ones, followed by `rest`. What stays stays posted, and no
    /// term is lost: for callers that move between many lists of assertions over the same terms.
    ///
    /// # Panics
    /// When a scope is open.
    pub fn focus(&mut self, common: usize, rest: &[TermId]) {
        assert!(self.scopes.is_empty(), "scopes and focus do not mix");
        self.drop_assertions(common);
        for &condition in rest {
            self.assert(condition);
        }
    }

    /// Asks that a variable be given as low a value (unsigned) as possible, before those asked for later.
    pub fn prefer_low(&mut self, var: VarId) {
        self.low.push(var);
    }

    /// Asserts a boolean term in the innermost scope.
    pub fn assert(&mut self, condition: TermId) -> AssertionId {
        assert_eq!(self.terms.ty(condition), clew_scalar::Type::BOOL, "an assertion is a boolean");
        self.assertions.push(condition);
        AssertionId(u32::try_from(self.assertions.len() - 1).expect("there are fewer than 2^32 assertions"))
    }

    /// Whether cores tell the assertions outside all scopes apart. Otherwise a core of the back end names all of these,
    /// and the back end can simplify with them.
    pub fn set_fine_cores(&mut self, fine: bool) {
        self.fine_cores = fine;
    }

    /// Can the assertions hold together?
    pub fn check(&mut self, budget: &Budget) -> Answer {
        self.check_assuming(&[], budget)
    }

    /// Can the assertions and the assumptions hold together?
    pub fn check_assuming(&mut self, assumptions: &[TermId], budget: &Budget) -> Answer {
        self.statistics.queries += 1;
        let asserted = self.assertions.len();
        self.lasting = match self.scopes.first() {
            _ if self.fine_cores => 0,
            Some(outermost) => outermost.assertions,
            None => asserted,
        };
        self.assertions.extend_from_slice(assumptions);
        let answer = match self.decide(budget) {
            Verdict::Sat => Answer::Sat(self.last_model.clone()),
            Verdict::Unsat(core) => Answer::Unsat(split_core(core, asserted)),
            Verdict::Unknown(reason) => Answer::Unknown(reason),
        };
        self.drop_assertions(asserted);
        answer
    }

    /// Values that include all an integer can have where the assertions hold, as far as propagation knows; `None` if the
    /// assertions cannot hold.
    pub fn range(&mut self, term: TermId) -> Option<IntDomain> {
        if self.propagate().is_some() {
            return None;
        }
        match self.store.range(&self.terms, term).ok()? {
            Domain::Int(domain) => Some(domain),
            Domain::Bool(_) | Domain::Float(_) | Domain::Opaque => Some(IntDomain::top(self.terms.width(term))),
        }
    }

    /// The layers, cheapest first.
    fn decide(&mut self, budget: &Budget) -> Verdict {
        if let Some(falsity) = self.assertions.iter().position(|&term| self.terms.bits(term) == Some(0)) {
            self.statistics.by_constants += 1;
            return Verdict::Unsat(vec![falsity]);
        }
        let failing = self.failing();
        if failing.is_empty() {
            self.statistics.by_last_model += 1;
            return Verdict::Sat;
        }
        if self.config.engine == Engine::Auto && self.repair(&failing) {
            return Verdict::Sat;
        }
        if self.config.engine != Engine::Sat
            && let Some(verdict) = self.propagate()
        {
            return verdict;
        }
        self.variables.extend(&self.terms, &self.assertions);
        let part = self.variables.part(&self.terms, &self.assertions, &failing);
        if self.config.engine != Engine::Sat
            && let Some(verdict) = self.order(&part, &failing)
        {
            return verdict;
        }
        if self.config.engine != Engine::Sat
            && let Some(core) = equate::refute(&mut self.terms, &part).or_else(|| residue::refute(&self.terms, &part))
        {
            self.statistics.by_equations += 1;
            return Verdict::Unsat(core);
        }
        let levels = self.store.levels();
        let verdict = match self.config.engine {
            Engine::Auto => self.escalate(&part, budget),
            Engine::Propagation => self.search(&part, budget),
            Engine::Sat => self.blast(&part, budget.conflicts(), budget.deadline),
        };
        self.store.undo(levels);
        verdict
    }

    /// The heavier layers in turns, each turn with more patience, until one of them has the answer.
    fn escalate(&mut self, part: &Part, budget: &Budget) -> Verdict {
        let weight = part.weight(&self.terms);
        let labelling = self.patience(part, weight);
        let mut alone = None;
        let mut left = budget.steps.unwrap_or(u64::MAX);
        for number in 0.. {
            let share = if number > 0 && !weight.floats && weight.gates > LIGHT { HEAVY_SHARE } else { 1 };
            let turn = Turn::new(number, labelling * share, left, budget.deadline);
            let found = match number {
                0 => self.first_turn(part, weight, &turn),
                _ => self.later_turn(part, weight, &turn, &mut alone),
            };
            if let Some(verdict) = found {
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

    /// Contractors that labelling may run in the first turn.
    fn patience(&self, part: &Part, weight: Weight) -> u64 {
        if weight.floats {
            return LABEL_STEPS;
        }
        let combinations = self.combinations(part);
        let few = if weight.tables && combinations <= MOST_COMBINATIONS { combinations as u64 } else { 0 };
        let of_gates = (weight.gates / 2).clamp(LEAST_LABEL_STEPS, LABEL_STEPS_OF_INTEGERS);
        of_gates + LABEL_STEPS_OF_INTEGER * part.inputs.len() as u64 + LABEL_STEPS_OF_COMBINATION * few
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

    /// The first turn of the heavier layers. The back end comes early, after a short walk, where its circuits are cheap.
    fn first_turn(&mut self, part: &Part, weight: Weight, turn: &Turn) -> Option<Verdict> {
        let is_cheap = !weight.floats && weight.gates <= CHEAP;
        let is_quick = is_cheap && weight.gates <= QUICK && !weight.tables;
        let found = if is_quick { self.quick_layers(part, turn) } else { None };
        let found = found.or_else(|| self.label(part, turn.labelling, turn.deadline, None));
        let probing = if is_cheap { (turn.labelling / 2).max(LEAST_PROBE_STEPS) } else { 2 * turn.labelling };
        let found = found.or_else(|| self.probe(probing));
        let found = found.or_else(|| self.order(part, &[])).or_else(|| self.equate(part));
        if weight.floats {
            let found = found.or_else(|| self.glance_from_zero(part, weight, turn));
            let found = found.or_else(|| self.blast_integers(part, turn));
            return found.or_else(|| self.heavy_layers(part, weight, turn));
        }
        let found = found.or_else(|| self.walk(part, SHORT_WALK.min(turn.walking), 0, turn.deadline, None));
        let found = if is_cheap { found } else { found.or_else(|| self.blast_light(part, turn)) };
        let found = found.or_else(|| self.glance_from_zero(part, weight, turn));
        if weight.gates > DEAR {
            return found.or_else(|| self.heavy_layers(part, weight, turn));
        }
        let found = found.or_else(|| self.blast_turn(part, weight, turn, &mut None));
        let found = found.or_else(|| self.relax(part, turn));
        found.or_else(|| self.walk(part, turn.walking, 0, turn.deadline, None))
    }

    /// What answers most questions whose circuits are cheap, none of it for long: what takes labelling longer than this takes
    /// the plain solver of the back end less.
    fn quick_layers(&mut self, part: &Part, turn: &Turn) -> Option<Verdict> {
        let found = self.label(part, LEAST_LABEL_STEPS.min(turn.labelling), turn.deadline, None);
        let found = found.or_else(|| self.order(part, &[])).or_else(|| self.equate(part));
        let found = found.or_else(|| self.walk(part, SHORT_WALK.min(turn.walking), 0, turn.deadline, None));
        found.or_else(|| self.blast_quickly(part, turn))
    }

    /// The heaviest layers of the first turn where circuits are dear, the back end last.
    fn heavy_layers(&mut self, part: &Part, weight: Weight, turn: &Turn) -> Option<Verdict> {
        let found = self.relax(part, turn);
        let found = found.or_else(|| self.walk(part, turn.walking, 0, turn.deadline, None));
        found.or_else(|| self.blast_turn(part, weight, turn, &mut None))
    }

    /// A later turn of the heavier layers, the back end before local search where there are only integers.
    fn later_turn(&mut self, part: &Part, weight: Weight, turn: &Turn, alone: &mut Option<Blaster>) -> Option<Verdict> {
        let mut found = self.label(part, turn.labelling, turn.deadline, None);
        found = found.or_else(|| self.label_from_zero(part, turn.labelling, turn.deadline));
        if !weight.floats {
            found = found.or_else(|| self.blast_turn(part, weight, turn, alone));
        }
        found = found.or_else(|| self.walk(part, turn.walking, turn.number.into(), turn.deadline, None));
        if weight.floats {
            found = found.or_else(|| self.blast_turn(part, weight, turn, alone));
        }
        found
    }

    /// Labelling, then local search, with all of the budget each.
    fn search(&mut self, part: &Part, budget: &Budget) -> Verdict {
        let steps = budget.steps.unwrap_or(u64::MAX / 2);
        let turn = Turn::new(0, LABEL_STEPS, steps, budget.deadline);
        let found = self.label(part, turn.labelling, budget.deadline, None);
        let found = found.or_else(|| self.probe(2 * turn.labelling));
        let found = found.or_else(|| self.relax(part, &turn));
        let found = found.or_else(|| self.label(part, steps - turn.labelling, budget.deadline, None));
        if let Some(verdict) = found.or_else(|| self.walk(part, steps.min(LOCAL_LIMIT), 0, budget.deadline, None)) {
            return verdict;
        }
        let late = budget.is_late();
        Verdict::Unknown(if late { Reason::Time } else { Reason::Steps })
    }

    /// The assertions that do not hold under the last model.
    fn failing(&mut self) -> Vec<usize> {
        let assertions = &self.assertions;
        let unverified = self.verified..assertions.len();
        let (terms, model, evaluator) = (&self.terms, &self.last_model, &mut self.evaluator);
        let failing: Vec<usize> =
            unverified.filter(|&position| !evaluator.is_true(terms, model, assertions[position])).collect();
        self.verified = failing.first().copied().unwrap_or(assertions.len());
        failing
    }

    /// Whether a small change of the last model makes the assertions hold that do not.
    fn repair(&mut self, failing: &[usize]) -> bool {
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
        debug_assert!(self.last_model_holds(), "a repaired model is a model of all");
        true
    }

    /// Posts what has not been posted; the verdict if that is a conflict.
    fn propagate(&mut self) -> Option<Verdict> {
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
    fn probe(&mut self, steps: u64) -> Option<Verdict> {
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
    fn relax(&mut self, part: &Part, turn: &Turn) -> Option<Verdict> {
        match relaxation::relax(&self.terms, &self.store, part) {
            relaxation::Outcome::Refuted => {
                self.statistics.by_relaxation += 1;
                Some(Verdict::Unsat(part.assertions.clone()))
            }
            relaxation::Outcome::Hint(values) => {
                let mut near = self.last_model.clone();
                values.into_iter().for_each(|(var, value)| near.set(var, value));
                let found = self.label(part, turn.labelling, turn.deadline, Some(&near));
                found.or_else(|| self.walk(part, turn.walking, 0, turn.deadline, Some(&near)))
            }
            relaxation::Outcome::Nothing => None,
        }
    }

    /// The verdict if a part is refuted by comparisons, those of some assertions that fail and those that domains imply.
    fn order(&mut self, part: &Part, failing: &[usize]) -> Option<Verdict> {
        let core = order::refute(&self.terms, &self.store, part, failing)?;
        self.statistics.by_order += 1;
        Some(Verdict::Unsat(core))
    }

    /// The verdict if a part is refuted by its equations and the values that propagation has found.
    fn equate(&mut self, part: &Part) -> Option<Verdict> {
        let core = equate::refute_with_values(&mut self.terms, part, &self.store)?;
        self.statistics.by_equations += 1;
        Some(Verdict::Unsat(core))
    }

    /// Labels a part, near the last model or another one; the rest keeps the last model.
    fn label(&mut self, part: &Part, steps: u64, deadline: Deadline, near: Option<&Model>) -> Option<Verdict> {
        let task = Task {
            terms: &self.terms,
            part,
            previous: near.unwrap_or(&self.last_model),
            low: &self.low,
            steps,
            deadline,
        };
        match search::search(task, &mut self.store, &mut self.scratch) {
            Outcome::Found(model) => {
                self.statistics.by_search += 1;
                Some(self.adopt(model))
            }
            Outcome::Refuted(core) => {
                self.statistics.by_search += 1;
                Some(Verdict::Unsat(core.into_iter().map(|number| number as usize).collect()))
            }
            Outcome::GaveUp => None,
        }
    }

    /// Labels a part near zero. Not at once: what comes next is most often asked of inputs near the last model.
    fn label_from_zero(&mut self, part: &Part, steps: u64, deadline: Deadline) -> Option<Verdict> {
        self.label_from(part, steps, deadline, |_| 0)
    }

    /// Labels a part near a point.
    fn label_from(
        &mut self,
        part: &Part,
        steps: u64,
        deadline: Deadline,
        point: impl Fn(VarId) -> u128,
    ) -> Option<Verdict> {
        let mut near = self.last_model.clone();
        for &var in &part.inputs {
            near.set(var, Value::new(self.terms.ty(self.terms.var(var).term), point(var)));
        }
        self.label(part, steps, deadline, Some(&near))
    }

    /// Labels a part near zero before its circuits are made, where these are dearer than that; where there are only integers,
    /// then near a point that has nothing to do with small numbers, for products wrap around.
    fn glance_from_zero(&mut self, part: &Part, weight: Weight, turn: &Turn) -> Option<Verdict> {
        if weight.gates <= CHEAP {
            return None;
        }
        let share = if weight.floats { GLANCE } else { 1 };
        let found = self.label_from_zero(part, turn.labelling / share, turn.deadline);
        if weight.floats {
            return found;
        }
        let scattered = |var: VarId| (var.index() as u128 + 1).wrapping_mul(SCATTER);
        found.or_else(|| self.label_from(part, turn.labelling, turn.deadline, scattered))
    }

    /// Local search in a part, at first from the last model or another one; the rest keeps the last model.
    fn walk(
        &mut self,
        part: &Part,
        steps: u64,
        turn: u64,
        deadline: Deadline,
        near: Option<&Model>,
    ) -> Option<Verdict> {
        let seed = self.config.seed.wrapping_add(turn);
        // What the last model is good for has been seen in the first turn.
        let start = near.or((turn == 0).then_some(&self.last_model));
        let found = local::search(&self.terms, &part.goals, start, Effort { steps, deadline, seed })?;
        self.statistics.by_local_search += 1;
        let model = self.merged(part, &found);
        Some(self.adopt(model))
    }

    /// The last model with the variables of a part as in another one.
    fn merged(&self, part: &Part, found: &Model) -> Model {
        let mut model = self.last_model.clone();
        for var in part.vars() {
            match found.get(var) {
                Some(Assigned::Array(array)) => model.set_array(var, (**array).clone()),
                Some(Assigned::Scalar(value)) => model.set(var, *value),
                None => {}
            }
        }
        model
    }

    /// Makes a model that has been evaluated on its part the last model. The other assertions hold as before, for they
    /// share no variable with it.
    fn adopt(&mut self, model: Model) -> Verdict {
        self.last_model = model;
        self.verified = self.assertions.len();
        self.evaluator.reset();
        debug_assert!(self.last_model_holds(), "a model of a part is a model of all");
        Verdict::Sat
    }

    /// Whether the last model satisfies every assertion.
    fn last_model_holds(&mut self) -> bool {
        let (terms, model, evaluator) = (&self.terms, &self.last_model, &mut self.evaluator);
        self.assertions.iter().all(|&assertion| evaluator.is_true(terms, model, assertion))
    }
}
