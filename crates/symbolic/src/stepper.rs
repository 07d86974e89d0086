//! The stepper: what it knows, and what it tells its driver.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use clew_coverage::label::Label;
use clew_ir::{BlockId, CTypeId, CheckId, FunctionId, GlobalId, LocalId, Program};
use clew_solver::clock::Deadline;
use clew_solver::term::TermId;

use crate::config::Config;
use crate::constraints::Constraints;
use crate::effects::Effects;
use crate::ending::Limit;
use crate::label::Labels;
use crate::precondition::Required;
use crate::state_variable::StateVariables;
use crate::stub::Stubs;

/// Runs paths of a program symbolically.
pub struct Stepper<'p> {
    /// The program.
    pub program: &'p Program,
    /// What was asked for.
    pub config: Config,
    /// The solver and the terms.
    pub constraints: Constraints,
    /// What steps brought about.
    pub effects: Effects,
    /// What is to be noted on the way.
    pub recording: Recording,
    pub(crate) labels: Rc<Labels>,
    pub(crate) checks: Checks,
    pub(crate) caches: Caches,
    pub(crate) required: Required,
    pub(crate) stubs: Arc<Stubs>,
}

/// What a driver wants paths to note.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recording {
    /// What criteria want to know of a path.
    pub trace: bool,
    /// Temporaries that code reads no more: predicates of criteria may read them.
    pub temps: bool,
    /// In which call the function was given what: it is called several times.
    pub call_names: bool,
    /// Which elements a store at an index of the input leaves unwritten.
    pub unwritten: bool,
}

/// What is known of checks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Checks {
    /// How often each was looked at.
    pub(crate) asked: BTreeMap<(FunctionId, CheckId), u32>,
    /// Those that fail for an input that was reported.
    pub(crate) failed: BTreeSet<(FunctionId, CheckId)>,
    /// The one that an input being followed is to fail.
    pub(crate) sought: Option<(FunctionId, CheckId)>,
}

/// What was found out about the program once and for all paths.
#[derive(Clone, Debug, Default)]
pub(crate) struct Caches {
    /// The structures that begin with a structure, computed on demand.
    pub(crate) larger: BTreeMap<CTypeId, Rc<[CTypeId]>>,
    /// Offsets that had too many values on some path to choose among all of them.
    pub(crate) crowded: BTreeSet<TermId>,
    /// The loads that read variables which hold a state of the program.
    pub(crate) state_variables: StateVariables,
    /// The blocks of a turn, by the head of each loop, of those of which all turns go the same way.
    pub(crate) turns: BTreeMap<FunctionId, BTreeMap<BlockId, Rc<[BlockId]>>>,
    /// By function: locals whose address is used for more than accesses, computed on demand.
    pub(crate) exposed: BTreeMap<FunctionId, BTreeSet<LocalId>>,
    /// Arguments after the last parameter that a test may pass, once that was asked.
    pub(crate) most_extra: Option<usize>,
    /// Whether static variables of functions are never changed, of those for which that was asked.
    pub(crate) only_read: BTreeMap<GlobalId, bool>,
}

impl<'p> Stepper<'p> {
    /// Prepares to run paths of a program.
    pub fn new(program: &'p Program, config: Config) -> Stepper<'p> {
        let mut constraints = Constraints::new(config.seed, config.limits.deadline);
        if config.explain {
            constraints.explain();
        }
        let unwritten = config.seeks_errors();
        Stepper {
            program,
            stubs: config.stubbing.found.clone().unwrap_or_else(|| Arc::new(Stubs::of(program, &config.stubbing))),
            constraints,
            config,
            effects: Effects::default(),
            recording: Recording { unwritten, ..Recording::default() },
            labels: Rc::default(),
            checks: Checks::default(),
            caches: Caches::default(),
            required: Required::default(),
        }
    }

    /// A stepper that knows as much and goes on with paths of this one by itself, with a solver of its own.
    #[must_use]
    pub fn apart(&self, deadline: Deadline) -> Stepper<'p> {
        let mut config = self.config.clone();
        config.limits.deadline = deadline;
        Stepper {
            program: self.program,
            config,
            constraints: self.constraints.apart(deadline),
            effects: Effects::default(),
            recording: self.recording,
            labels: Rc::clone(&self.labels),
            checks: self.checks.clone(),
            caches: self.caches.clone(),
            required: self.required.clone(),
            stubs: Arc::clone(&self.stubs),
        }
    }

    /// From now on paths note what criteria want to know, and where these labels hold.
    pub fn record(&mut self, labels: &[Label]) {
        self.labels = Rc::new(Labels::new(labels));
        self.recording.trace = true;
        self.recording.temps = !labels.is_empty();
    }

    /// Says which check an input that is to be followed should fail.
    pub fn seek_failure(&mut self, check: Option<(FunctionId, CheckId)>) {
        self.checks.sought = check;
    }

    /// Whether the deadline has passed.
    pub fn late(&self) -> bool {
        self.config.limits.deadline.has_passed()
    }

    /// The limit by which the deadline has passed, if it has.
    pub fn cut_by(&self) -> Option<Limit> {
        let limit = if self.config.limits.deadline.is_worked_off() { Limit::Effort } else { Limit::Time };
        self.late().then_some(limit)
    }
}
