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
mod layer;
mod turn;

use crate::algebra::Numbers;
use crate::blast::Blaster;
use crate::domain::int::IntDomain;
use crate::evaluate::Evaluator;
use crate::model::{Assigned, Model};
use crate::search::{Part, Variables};
use crate::store::{Domain, Store};
use crate::term::{Mark, TermId, Terms, VarId};

pub use answer::{Answer, AssertionId, Core, Reason, Statistics};
use answer::{Verdict, split_core};
pub use config::{Budget, Config, Engine, STEPS_PER_CONFLICT};
pub use layer::LAYERS;
use layer::Layer;

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

    /// A solver without assertions that has the same terms and begins at the same model, and knows nothing else.
    #[must_use]
    pub fn apart(&self) -> Solver {
        Solver {
            terms: self.terms.clone(),
            fine_cores: self.fine_cores,
            last_model: self.last_model.clone(),
            low: self.low.clone(),
            ..Solver::new(self.config.clone())
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
        let _charged = budget.deadline.charge();
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
        if self.config.engine == Engine::Auto && Layer::Repair.is_on() && self.repair(&failing) {
            return Verdict::Sat;
        }
        let propagates = self.config.engine != Engine::Sat;
        if let Some(verdict) = propagates.then(|| self.propagate()).flatten() {
            return verdict;
        }
        self.variables.extend(&self.terms, &self.assertions);
        let part = self.variables.part(&self.terms, &self.assertions, &failing);
        if let Some(verdict) = propagates.then(|| self.refute(&part, &failing)).flatten() {
            return verdict;
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

    /// What refutes a part without a search, before the first turn.
    fn refute(&mut self, part: &Part, failing: &[usize]) -> Option<Verdict> {
        let ordered = if Layer::Order.is_on() { self.order(part, failing) } else { None };
        let equated = ordered.or_else(|| self.refute_equations(part));
        equated
            .or_else(|| if Layer::Algebra.is_on() { self.refute_polynomials(part, Numbers::Multiplied) } else { None })
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

    /// Makes a model the last model, if it satisfies every assertion.
    fn adopt(&mut self, model: Model) -> Verdict {
        if !self.satisfies(&model) {
            return self.refuse(&model);
        }
        self.last_model = model;
        self.verified = self.assertions.len();
        Verdict::Sat
    }

    /// Whether a model satisfies every assertion: the judge of every answer `Sat`, whichever layer found the model, and
    /// however it did so. The assertions are evaluated from scratch. Left out are only those that were evaluated under the last
    /// model, held, and have no variable that the model changes.
    fn satisfies(&mut self, model: &Model) -> bool {
        let changed = self.last_model.changes(model).fold(0, |reach, var| reach | self.terms.reach_of(var));
        self.evaluator.reset();
        let (terms, evaluator) = (&self.terms, &mut self.evaluator);
        let judged = self.assertions.iter().enumerate();
        let mut judged = judged.filter(|&(at, &goal)| at >= self.verified || terms.reach(goal) & changed != 0);
        judged.all(|(_, &goal)| evaluator.is_true(terms, model, goal))
    }

    /// The answer where a layer has found a model that does not hold, which is a mistake of that layer.
    fn refuse(&mut self, model: &Model) -> Verdict {
        debug_assert!(false, "the model of a layer does not hold:\n{}", model.describe(&self.terms));
        self.evaluator.reset();
        self.statistics.refuted_models += 1;
        Verdict::Unknown(Reason::Incomplete)
    }
}

#[cfg(test)]
mod tests {
    use clew_scalar::{BinaryOp, Value};

    use super::{Answer, Budget, Solver};
    use crate::term::VarId;

    /// The judge finds every assertion that a wrong model violates, old and new, after a model that satisfied the old ones.
    #[test]
    fn a_model_that_violates_an_assertion_is_refused() {
        let mut solver = Solver::default();
        for name in ["x", "y"] {
            let term = solver.terms_mut().int_var(name, 8);
            let ten = solver.terms_mut().int(8, 10);
            let large = solver.terms_mut().binary(BinaryOp::Ult, ten, term);
            solver.assert(large);
        }
        let Answer::Sat(model) = solver.check(&Budget::default()) else { panic!("there are such numbers") };
        assert!(solver.satisfies(&model));
        for var in [0, 1].map(VarId::from_index) {
            let mut wrong = model.clone();
            wrong.set(var, Value::int(8, 10));
            assert!(!solver.satisfies(&wrong), "an assertion verified before is judged again");
        }
        let (x, y) = (solver.terms().vars()[0].term, solver.terms().vars()[1].term);
        let smaller = solver.terms_mut().binary(BinaryOp::Ult, x, y);
        solver.assert(smaller);
        let mut wrong = model.clone();
        wrong.set(VarId::from_index(0), model.value(solver.terms(), VarId::from_index(1)));
        assert!(!solver.satisfies(&wrong), "a new assertion is judged");
    }
}
