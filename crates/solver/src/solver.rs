//! The incremental interface: assertions in scopes, and answers that have been checked.
//!
//! A query passes through layers, cheapest first, composed in [`Solver::decide`]: an assertion that is plainly false;
//! the last model, if it still holds; propagation and search; the complete back end. Every model is evaluated on all
//! assertions before it is returned, whichever layer found it.
//!
//! Scopes: [`Solver::push`] opens one, [`Solver::pop`] closes it and takes back its assertions **and the terms and
//! variables created inside it**. Terms that must outlive a scope are to be created before it is opened.
//!
//! Answers depend on the assertions, the configuration (seed included), the budget in steps, and the queries before;
//! the wall clock enters only through [`Budget::deadline`], and then the answer says so.

use std::time::Instant;

use crate::blast::{self, Blaster};
use crate::evaluate::Evaluator;
use crate::model::Model;
use crate::term::{Mark, TermId, Terms};

/// An assertion: its place in the order of assertions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AssertionId(u32);

/// Which layers may decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// All of them.
    #[default]
    Auto,
    /// Propagation and search only; gives up where they do.
    Propagation,
    /// Bit-blasting only.
    Sat,
}

/// How a solver works.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// Which layers may decide.
    pub engine: Engine,
    /// Seed of every random choice.
    pub seed: u64,
}

/// How far one query may go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Steps: a contractor applied is one, a conflict of the back end is [`STEPS_PER_CONFLICT`]. `None` is no limit.
    pub steps: Option<u64>,
    /// When to give up whatever has been counted: a safety net, and reported as such.
    pub deadline: Option<Instant>,
}

/// What a conflict of the back end costs in steps.
pub const STEPS_PER_CONFLICT: u64 = 256;

/// The assertions an `Unsat` answer rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Core {
    /// Assertions, ascending.
    pub assertions: Vec<AssertionId>,
    /// Positions in the list of assumptions, ascending.
    pub assumptions: Vec<usize>,
}

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// All assertions hold under this model.
    Sat(Model),
    /// These assertions cannot hold together.
    Unsat(Core),
    /// Not decided, and why.
    Unknown(Reason),
}

/// Why a query was not decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The steps of the budget were used up.
    Steps,
    /// The deadline passed.
    Time,
    /// The layers that the configuration allows cannot decide it.
    Incomplete,
}

/// How often each layer answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Queries asked.
    pub queries: u64,
    /// Answered by an assertion that is constant.
    pub by_constants: u64,
    /// Answered by the last model.
    pub by_last_model: u64,
    /// Answered by propagation and search.
    pub by_search: u64,
    /// Answered by the back end.
    pub by_back_end: u64,
    /// Models of a layer that did not hold when evaluated; always zero, unless there is a mistake in the solver.
    pub refuted_models: u64,
}

struct Scope {
    assertions: usize,
    mark: Mark,
}

/// Assertions over terms it owns, and what is known about them.
pub struct Solver {
    terms: Terms,
    assertions: Vec<TermId>,
    scopes: Vec<Scope>,
    /// The last model found; new queries start from it.
    last_model: Model,
    evaluator: Evaluator,
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
            terms: Terms::new(),
            assertions: Vec::new(),
            scopes: Vec::new(),
            last_model: Model::new(),
            evaluator: Evaluator::new(),
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
        self.assertions.truncate(scope.assertions);
        self.release(scope.mark);
    }

    fn release(&mut self, mark: Mark) {
        self.blaster.release(mark);
        self.evaluator.reset();
        self.last_model.truncate(mark.vars());
        self.terms.release(mark);
    }

    /// Asserts a boolean term in the innermost scope.
    pub fn assert(&mut self, condition: TermId) -> AssertionId {
        assert_eq!(self.terms.ty(condition), clew_scalar::Type::BOOL, "an assertion is a boolean");
        self.assertions.push(condition);
        AssertionId(u32::try_from(self.assertions.len() - 1).expect("there are fewer than 2^32 assertions"))
    }

    /// Can the assertions hold together?
    pub fn check(&mut self, budget: &Budget) -> Answer {
        self.check_assuming(&[], budget)
    }

    /// Can the assertions and the assumptions hold together?
    pub fn check_assuming(&mut self, assumptions: &[TermId], budget: &Budget) -> Answer {
        self.statistics.queries += 1;
        let asserted = self.assertions.len();
        self.assertions.extend_from_slice(assumptions);
        let verdict = self.decide(budget);
        self.assertions.truncate(asserted);
        match verdict {
            Verdict::Sat(model) => {
                self.last_model = model.clone();
                Answer::Sat(model)
            }
            Verdict::Unsat(core) => Answer::Unsat(split_core(core, asserted)),
            Verdict::Unknown(reason) => Answer::Unknown(reason),
        }
    }

    /// The layers.
    fn decide(&mut self, budget: &Budget) -> Verdict {
        if let Some(falsity) = self.assertions.iter().position(|&term| self.terms.bits(term) == Some(0)) {
            self.statistics.by_constants += 1;
            return Verdict::Unsat(vec![falsity]);
        }
        let last = self.last_model.clone();
        if self.holds(&last) {
            self.statistics.by_last_model += 1;
            return Verdict::Sat(last);
        }
        self.blast(budget)
    }

    /// Whether a model satisfies every assertion.
    fn holds(&mut self, model: &Model) -> bool {
        self.evaluator.reset();
        // The newest assertion is the likeliest to fail.
        self.assertions.iter().rev().all(|&assertion| self.evaluator.is_true(&self.terms, model, assertion))
    }

    fn blast(&mut self, budget: &Budget) -> Verdict {
        let conflicts = budget.steps.map(|steps| u32::try_from(steps / STEPS_PER_CONFLICT).unwrap_or(u32::MAX));
        let budget = blast::Budget { conflicts, deadline: budget.deadline };
        match self.blaster.check(&self.terms, &self.assertions, &budget) {
            blast::Answer::Sat(model) => self.confirmed(model),
            blast::Answer::Unsat(core) => {
                self.statistics.by_back_end += 1;
                let used = |term: &TermId| core.contains(term);
                Verdict::Unsat((0..self.assertions.len()).filter(|&index| used(&self.assertions[index])).collect())
            }
            blast::Answer::Unknown(blast::Limit::Conflicts) => Verdict::Unknown(Reason::Steps),
            blast::Answer::Unknown(blast::Limit::Time) => Verdict::Unknown(Reason::Time),
            blast::Answer::Unknown(_) => Verdict::Unknown(Reason::Incomplete),
        }
    }

    /// A model of the back end, if evaluation agrees.
    fn confirmed(&mut self, model: Model) -> Verdict {
        if self.holds(&model) {
            self.statistics.by_back_end += 1;
            return Verdict::Sat(model);
        }
        debug_assert!(false, "the back end's model does not hold:\n{}", model.describe(&self.terms));
        self.statistics.refuted_models += 1;
        Verdict::Unknown(Reason::Incomplete)
    }
}

/// An answer in terms of positions in the list of assertions and assumptions.
enum Verdict {
    Sat(Model),
    Unsat(Vec<usize>),
    Unknown(Reason),
}

fn split_core(used: Vec<usize>, asserted: usize) -> Core {
    let mut core = Core::default();
    for position in used {
        if position < asserted {
            core.assertions.push(AssertionId(position as u32));
        } else {
            core.assumptions.push(position - asserted);
        }
    }
    core
}
