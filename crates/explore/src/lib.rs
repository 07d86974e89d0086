//! Paths, constraints, inputs: the search for tests.
//!
//! The loop: pick an open branch, ask the solver for an input that goes the other way, run the program symbolically along
//! that input to its end, leaving every branch not taken open; hand the input to the caller, who executes it for real.
//! A path is a sequence of condition outcomes; the prefix up to an open branch and its alternative is taken, refuted or
//! given up. Depth first, as in PathCrawler (Williams, Marre, Mouy, Roger 2005): the deepest open branch comes first. The
//! state at an open branch is kept, so nothing is executed twice.

pub mod config;
pub mod constraints;
mod contract;
pub mod ending;
pub mod input;
pub mod kpath;
pub mod memory;
mod start;
pub mod state;
mod step;
pub mod stub;
pub mod value;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Instant;

use clew_execute::{Event, Input};
use clew_ir::{BlockId, CheckId, FunctionId, Program};
use clew_solver::model::Model;
use clew_solver::term::TermId;

use crate::config::Config;
use crate::constraints::{Answer, Constraints};
use crate::ending::{Finding, Limit, PathEnd};
use crate::state::State;
use crate::step::branch;

pub use crate::start::{Precondition, Unusable};

/// A path being run: its state, and an input that takes it.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) state: State,
    pub(crate) model: Rc<Model>,
}

/// A branch whose alternative nobody has taken yet.
#[derive(Clone, Debug)]
pub(crate) struct Open {
    /// The state before the branch.
    state: State,
    /// An input that took the branch the other way.
    model: Rc<Model>,
    /// What must hold for the alternative.
    when: TermId,
    /// How to go on.
    resume: Resume,
}

/// How to go on at an open branch.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Resume {
    /// In a block, after an event.
    Go(BlockId, Option<Event>),
    /// With the instruction at which the state stands.
    Again,
}

/// A path that was run to its end, with an input that takes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Explored {
    /// The input.
    pub input: Input,
    /// The branches it takes.
    pub path: Vec<Event>,
    /// How it ends.
    pub end: PathEnd,
    /// Most iterations of one loop in one activation.
    pub turns: u32,
}

/// What an exploration did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Prefixes that no input takes.
    pub refuted: u64,
    /// Prefixes given up, by the limit that was met.
    pub given_up: BTreeMap<Limit, u64>,
    /// Prefixes still open when the exploration stopped.
    pub open: u64,
    /// Questions asked to the solver.
    pub questions: u64,
    /// Findings, one per failing check.
    pub findings: Vec<Finding>,
    /// Limits that made the exploration leave paths out.
    pub limits: BTreeSet<Limit>,
    /// Why the exploration stopped.
    pub stop: Stop,
}

/// Why an exploration stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stop {
    /// No branch is left open.
    #[default]
    Exhausted,
    /// As many tests as were asked for.
    Tests,
    /// The deadline passed.
    Time,
    /// The caller said so.
    Asked,
}

/// Whether to go on after a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Go on.
    Continue,
    /// Stop here.
    Stop,
}

/// Explores the paths of a function. `found` is given each path that was run to its end.
///
/// # Errors
/// If the precondition cannot be used.
pub fn explore(
    program: &Program,
    function: FunctionId,
    precondition: &Precondition,
    config: &Config,
    found: &mut dyn FnMut(Explored) -> Next,
) -> Result<Summary, Unusable> {
    let mut explorer = Explorer::new(program, config.clone());
    let mut path = Some(explorer.start(function, precondition)?);
    while let Some(mut running) = path.take() {
        let end = explorer.run(&mut running);
        if explorer.finish(running, end, found) == Next::Stop {
            break;
        }
        path = explorer.next_path();
    }
    Ok(explorer.summary())
}

/// The exploration of one function.
pub(crate) struct Explorer<'p> {
    pub(crate) program: &'p Program,
    pub(crate) config: Config,
    pub(crate) constraints: Constraints,
    /// Branches to be flipped, the deepest last.
    pub(crate) open: Vec<Open>,
    pub(crate) findings: BTreeMap<(FunctionId, CheckId), Finding>,
    pub(crate) limits: BTreeSet<Limit>,
    refuted: u64,
    given_up: BTreeMap<Limit, u64>,
    tests: u64,
    stop: Stop,
    universals: start::Universals,
    pub(crate) stubs: stub::Stubs,
}

impl<'p> Explorer<'p> {
    fn new(program: &'p Program, config: Config) -> Explorer<'p> {
        Explorer {
            program,
            stubs: stub::Stubs::of(program, &config.real),
            constraints: Constraints::new(config.seed, config.deadline),
            config,
            open: Vec::new(),
            findings: BTreeMap::new(),
            limits: BTreeSet::new(),
            refuted: 0,
            given_up: BTreeMap::new(),
            tests: 0,
            stop: Stop::Exhausted,
            universals: start::Universals::default(),
        }
    }

    /// The next open branch that some input can take the other way.
    fn next_path(&mut self) -> Option<Path> {
        while let Some(mut open) = self.open.pop() {
            if self.late() {
                self.open.push(open);
                self.stop = Stop::Time;
                return None;
            }
            match self.solve(&mut open.state, Some(open.when), &open.model) {
                Answer::Unsat => self.refuted += 1,
                Answer::Unknown => *self.given_up.entry(Limit::Solver).or_default() += 1,
                Answer::Sat(model) => return Some(self.resume(open, model)),
            }
        }
        None
    }

    /// Whether the deadline has passed.
    pub(crate) fn late(&self) -> bool {
        self.config.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The path that goes on at an open branch.
    fn resume(&mut self, open: Open, model: Rc<Model>) -> Path {
        let mut path = Path { state: open.state, model };
        if let Resume::Go(to, event) = open.resume {
            let function = &self.program.functions[path.state.frame().function];
            branch::go(&mut path, function, to, event);
        }
        path
    }

    /// Hands a finished path to the caller.
    fn finish(&mut self, path: Path, end: PathEnd, found: &mut dyn FnMut(Explored) -> Next) -> Next {
        match end {
            PathEnd::Contradiction => {
                self.refuted += 1;
                return Next::Continue;
            }
            PathEnd::Limit(limit) => {
                *self.given_up.entry(limit).or_default() += 1;
                self.limits.insert(limit);
                return Next::Continue;
            }
            _ => {}
        }
        self.tests += 1;
        let explored = Explored {
            input: self.concrete_input(&path.state, &path.model),
            path: path.state.path.iter().copied().collect(),
            end,
            turns: path.state.turns,
        };
        if found(explored) == Next::Stop {
            self.stop = Stop::Asked;
        } else if self.tests >= self.config.tests {
            self.stop = Stop::Tests;
        } else {
            return Next::Continue;
        }
        Next::Stop
    }

    pub(crate) fn concrete_input(&mut self, state: &State, model: &Model) -> Input {
        input::concrete(self.program, self.constraints.terms(), &state.memory, &state.inputs, model)
    }

    fn summary(self) -> Summary {
        Summary {
            refuted: self.refuted,
            given_up: self.given_up,
            open: self.open.len() as u64,
            questions: self.constraints.questions(),
            findings: self.findings.into_values().collect(),
            limits: self.limits,
            stop: self.stop,
        }
    }
}
