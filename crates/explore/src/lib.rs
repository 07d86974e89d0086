//! Paths, constraints, inputs: the search for tests.
//!
//! The loop: pick an open branch, ask the solver for an input that goes the other way, run the program symbolically along
//! that input to its end, leaving every branch not taken open; hand the input to the caller, who executes it for real.
//! A path is a sequence of condition outcomes; the prefix up to an open branch and its alternative is taken, refuted or
//! given up. Which open branch comes next is up to the `strategy`: depth first, as in PathCrawler (Williams, Marre, Mouy,
//! Roger 2005), or the one nearest to what criteria still ask for. The state at an open branch is kept, so nothing is
//! executed twice.

pub mod condition;
pub mod config;
pub mod constraints;
mod contract;
mod earlier;
pub mod ending;
pub mod exclude;
pub mod exploration;
mod finish;
mod given;
pub mod goal;
mod guard;
pub mod input;
pub mod kpath;
mod machine;
pub mod memory;
mod packed;
pub mod refuted;
pub mod resident;
mod seed;
pub mod shared;
mod start;
pub mod state;
mod step;
mod strategy;
pub mod stub;
pub mod summary;
mod tally;
pub mod temps;
pub mod value;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use clew_analyze::facts::Facts;
use clew_analyze::loops::NaturalLoop;
use clew_coverage::label::LabelId;
use clew_coverage::{Criterion, Ledger, ObjectiveId, Trace};
use clew_execute::{Event, Input};
use clew_ir::{BlockId, CTypeId, CheckId, FunctionId, Program, Span};
use clew_solver::clock::{self, Deadline};
use clew_solver::model::Model;
use clew_solver::term::TermId;

use crate::config::Config;
use crate::constraints::{Answer, Constraints};
use crate::earlier::Earlier;
use crate::ending::{Failure, Finding, Limit, PathEnd};
use crate::exploration::{Exploration, Progress};
use crate::machine::Machines;
use crate::refuted::Refutations;
use crate::state::State;
use crate::step::branch;
use crate::strategy::{DepthFirst, Directed, Strategy};
use crate::tally::Tally;

pub use crate::start::{Precondition, Unusable};
pub use crate::step::library::is_known;
pub use crate::summary::{Stop, Summary};

/// Steps the solver may spend on an open branch at first.
const FIRST_STEPS: u64 = 200_000;

/// A path being run: its state, and an input that takes it.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) state: State,
    pub(crate) model: Rc<Model>,
}

/// A branch whose alternative nobody has taken yet.
#[derive(Clone, Debug)]
pub(crate) struct Open {
    /// The state before the branch, which the branches of one place share.
    state: Rc<State>,
    /// An input that took the branch the other way.
    model: Rc<Model>,
    /// What must hold for the alternative.
    when: TermId,
    /// How to go on.
    resume: Resume,
    /// How often the solver gave up on it.
    tries: u32,
}

impl Open {
    pub(crate) fn new(state: impl Into<Rc<State>>, model: Rc<Model>, when: TermId, resume: Resume) -> Open {
        Open { state: state.into(), model, when, resume, tries: 0 }
    }
}

/// What is to be tried next.
#[derive(Debug)]
enum Upcoming {
    /// An open branch.
    Branch(Open),
    /// Another call, after a path that has returned.
    Call,
}

/// How to go on at an open branch.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Resume {
    /// In a block, after an event.
    Go(BlockId, Option<Event>),
    /// With the instruction at which the state stands.
    Again,
    /// With the next instruction, a label holding.
    Label(LabelId),
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
    /// What criteria want to know of it; empty where none were asked for.
    pub trace: Trace,
    /// The objectives it is the first to cover.
    pub news: Vec<ObjectiveId>,
    /// Whether its input was given, not found.
    pub given: bool,
    /// Whether it depends on addresses, of which those of the execution may differ.
    pub addressed: bool,
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
    let mut exploration = Exploration::new(program, function, precondition, config)?;
    while exploration.run(found) == Progress::Stalled {}
    Ok(exploration.summary())
}

/// The objectives that a configuration asks for; `None` without criteria.
pub fn objectives<'p>(program: &'p Program, function: FunctionId, config: &Config) -> Option<Ledger<'p>> {
    let scope: &[FunctionId] = if config.scope.is_empty() { &[function] } else { &config.scope };
    let asks = config.criteria.iter().any(|criterion| *criterion != Criterion::KPath);
    asks.then(|| Ledger::new(program, scope, &config.criteria))
}

/// Effort of an open branch tried, of a question to the solver, and that after which a search first pauses.
const POP_EFFORT: u64 = 4;
const QUESTION_EFFORT: u64 = 1;
const PATIENCE: u64 = 250;

/// Open branches tried while no path ends before every so many-th is one that brings a path to its end which did something
/// asked for.
const UNENDED: u64 = 6;
const UNENDED_EVERY: u64 = 3;

/// What taking up an open branch costs on the clock of work.
const POP: u64 = 28_000;

/// Open branches taken up between two looks at the memory of the process.
const LOOK_EVERY: u64 = 16;

/// The exploration of one function.
pub(crate) struct Explorer<'p> {
    pub(crate) program: &'p Program,
    pub(crate) config: Config,
    pub(crate) constraints: Constraints,
    /// Branches to be flipped.
    pub(crate) open: Box<dyn Strategy + 'p>,
    /// The objectives, if criteria were asked for.
    pub(crate) goals: Option<Ledger<'p>>,
    /// The labels after each instruction that has some.
    pub(crate) labels: BTreeMap<(FunctionId, BlockId, u32), Vec<LabelId>>,
    pub(crate) findings: BTreeMap<(FunctionId, CheckId), Finding>,
    /// What abstract interpretation knows of the function.
    facts: Facts,
    /// Open branches tried since something new was covered.
    idle: u64,
    /// Open branches tried since a path ended as C defines.
    unended: u64,
    /// Questions asked until something new was covered.
    questions_at_news: u64,
    /// When there is no hope any more that something new is covered.
    hope: Deadline,
    /// Effort without anything new after which the exploration pauses.
    patience: u64,
    /// How often each check was looked at.
    pub(crate) asked: BTreeMap<(FunctionId, CheckId), u32>,
    /// The natural loops of functions that were run long.
    pub(crate) loops: BTreeMap<FunctionId, Vec<NaturalLoop>>,
    /// How often paths tried to leave a loop at a block.
    pub(crate) escapes: BTreeMap<(FunctionId, BlockId), u32>,
    /// The structures that begin with a structure, where somebody asked.
    pub(crate) larger: BTreeMap<CTypeId, Rc<[CTypeId]>>,
    /// Checks that failed, each with a model of an input that makes it fail, since somebody last took them.
    pub(crate) failing: Vec<(Failure, Rc<Model>)>,
    /// Checks of which the solver could not say whether they may fail.
    pub(crate) undecided: BTreeSet<(FunctionId, CheckId)>,
    /// Branches left open, by what leads there: a seed may come along a way that was taken before.
    pub(crate) left: BTreeSet<branch::Key>,
    pub(crate) limits: BTreeSet<Limit>,
    /// Whether it matters which elements a store at an index of the input leaves unwritten.
    pub(crate) follows_unwritten: bool,
    /// Offsets that had too many values on some path to choose among all of them.
    pub(crate) crowded: BTreeSet<TermId>,
    /// Paths that a limit cut off, where they stood.
    cut: Vec<Open>,
    /// Labels of which a limit left out inputs that make them hold.
    pub(crate) limited: BTreeSet<LabelId>,
    /// What paths did that ended in something undefined.
    undefined: BTreeSet<Trace>,
    pub(crate) refutations: Refutations,
    /// The clauses of the precondition that made terms part of the condition.
    pub(crate) origins: BTreeMap<TermId, Span>,
    /// Paths that ended in something unsupported before the function was entered.
    pub(crate) lost: Vec<Explored>,
    given_up: BTreeMap<Limit, u64>,
    /// Paths handed to the caller.
    tally: Tally,
    /// Open branches taken up.
    pops: u64,
    stop: Stop,
    universals: start::Universals,
    /// The calls of the function, if it remembers earlier ones.
    pub(crate) earlier: Option<Earlier>,
    pub(crate) stubs: Arc<stub::Stubs>,
    /// The loads that read variables of machines.
    pub(crate) machines: Machines,
    /// Arguments after the last parameter that a test may pass, once that was asked.
    pub(crate) most_extra: Option<usize>,
}

impl<'p> Explorer<'p> {
    fn new(program: &'p Program, function: FunctionId, config: Config) -> Explorer<'p> {
        let goals = objectives(program, function, &config);
        let mut labels: BTreeMap<_, Vec<LabelId>> = BTreeMap::new();
        for (id, label) in goals.iter().flat_map(|goals| goals.labels().iter().enumerate()) {
            labels.entry((label.at.function, label.at.block, label.at.index)).or_default().push(id);
        }
        let open: Box<dyn Strategy + 'p> = if config.is_directed() {
            Box::new(Directed::new(program, function))
        } else {
            Box::new(DepthFirst::default())
        };
        let mut constraints = Constraints::new(config.seed, config.deadline);
        if config.explain {
            constraints.explain();
        }
        let follows_unwritten = config.criteria.contains(&Criterion::Error);
        let hope = config.deadline.part(2);
        Explorer {
            program,
            follows_unwritten,
            crowded: BTreeSet::new(),
            stubs: config.stubs.clone().unwrap_or_else(|| Arc::new(stub::Stubs::of(program, &config))),
            goals,
            labels,
            constraints,
            config,
            open,
            findings: BTreeMap::new(),
            facts: Facts::default(),
            idle: 0,
            unended: 0,
            questions_at_news: 0,
            hope,
            patience: PATIENCE,
            asked: BTreeMap::new(),
            loops: BTreeMap::new(),
            escapes: BTreeMap::new(),
            larger: BTreeMap::new(),
            failing: Vec::new(),
            undecided: BTreeSet::new(),
            left: BTreeSet::new(),
            limits: BTreeSet::new(),
            cut: Vec::new(),
            limited: BTreeSet::new(),
            undefined: BTreeSet::new(),
            refutations: Refutations::default(),
            origins: BTreeMap::new(),
            lost: Vec::new(),
            given_up: BTreeMap::new(),
            tally: Tally::default(),
            pops: 0,
            stop: Stop::Exhausted,
            universals: start::Universals::default(),
            earlier: None,
            machines: Machines::default(),
            most_extra: None,
        }
    }

    /// The next open branch that some input can take the other way.
    fn next_path(&mut self) -> Option<Path> {
        loop {
            let has_none_open = self.goals.as_ref().is_some_and(|goals| goals.open() == 0);
            if self.config.is_directed() && self.tally.is_enough() && has_none_open {
                self.stop = Stop::Decided;
                return None;
            }
            if self.is_stalled() {
                self.stop = Stop::Stalled;
                return None;
            }
            let next = self.next_up()?;
            if let Some(stop) = self.cut_off() {
                if let Upcoming::Branch(open) = next {
                    self.open.push(open);
                }
                self.stop = stop;
                return None;
            }
            let Upcoming::Branch(mut open) = next else {
                match self.next_call() {
                    Some(path) => return Some(path),
                    None => continue,
                }
            };
            let patience = self.patience(&open);
            let usual = self.constraints.set_patience(patience);
            let answer = self.solve(Rc::make_mut(&mut open.state), Some(open.when), &open.model);
            self.constraints.set_patience(usual);
            match answer {
                Answer::Unsat => self.refute(&open),
                Answer::Unknown if patience < usual && !self.late() => {
                    open.tries += 1;
                    self.open.push(open);
                }
                Answer::Unknown => self.give_up(open, Limit::Solver),
                Answer::Sat(model) => return Some(self.resume(open, model)),
            }
        }
    }

    /// What is to be tried next: an open branch, or another call where the function remembers earlier ones.
    fn next_up(&mut self) -> Option<Upcoming> {
        let Some((first, second)) = self.earlier.as_mut().map(Earlier::take_turn) else {
            return self.next_open().map(Upcoming::Branch);
        };
        if first {
            return Some(Upcoming::Call);
        }
        let ahead = self.next_open();
        let aside = if ahead.is_none() && !second { self.open.pop_aside() } else { None };
        let has_waiting = self.earlier.as_ref().is_some_and(|earlier| earlier.waiting() > 0);
        match ahead.or(aside) {
            Some(open) => Some(Upcoming::Branch(open)),
            None if has_waiting => Some(Upcoming::Call),
            None => self.open.pop_aside().map(Upcoming::Branch),
        }
    }

    /// The open branch to be tried next.
    fn next_open(&mut self) -> Option<Open> {
        if let Some(mut open) = self.next_homeward() {
            Rc::make_mut(&mut open.state).homeward = true;
            return Some(open);
        }
        let ahead = self.open.pop(self.goals.as_ref());
        let mut open = ahead.or_else(|| if self.tally.is_enough() { None } else { self.open.pop_spare() })?;
        if open.state.homeward {
            Rc::make_mut(&mut open.state).homeward = false;
        }
        Some(open)
    }

    /// The open branch to be tried next so that its path ends, where that is missing.
    fn next_homeward(&mut self) -> Option<Open> {
        if self.tally.turns_home() {
            return self.open.pop_homeward();
        }
        let is_late = self.unended > UNENDED && self.unended.is_multiple_of(UNENDED_EVERY);
        self.goals.as_ref().filter(|_| is_late).and_then(|goals| self.open.pop_unended(goals))
    }

    /// Whether heading for objectives has led to nothing new for long. Each time, more patience is needed.
    fn is_stalled(&mut self) -> bool {
        if !self.config.is_directed() {
            return false;
        }
        self.idle += 1;
        self.unended += 1;
        let effort = self.idle * POP_EFFORT + (self.constraints.questions() - self.questions_at_news) * QUESTION_EFFORT;
        let stalled = effort > self.patience;
        if stalled {
            self.patience *= 8;
        }
        stalled
    }

    /// Steps the solver may spend on an open branch: where there are objectives to head for, a hard one is put off, and
    /// asked again with more patience.
    fn patience(&self, open: &Open) -> u64 {
        if self.config.is_directed() { FIRST_STEPS << (3 * open.tries.min(8)) } else { u64::MAX }
    }

    /// The safety net that stops the exploration here, if one does. Memory is looked at now and then.
    fn cut_off(&mut self) -> Option<Stop> {
        self.pops += 1;
        clock::spend(POP);
        let full = |most: u64| self.pops.is_multiple_of(LOOK_EVERY) && resident::bytes() > most;
        match self.cut_by() {
            Some(Limit::Effort) => Some(Stop::Effort),
            Some(_) => Some(Stop::Time),
            None if self.is_hopeless() => Some(Stop::Hopeless),
            None => self.config.memory.is_some_and(full).then_some(Stop::Memory),
        }
    }

    fn is_hopeless(&self) -> bool {
        self.config.is_hasty && self.config.is_directed() && self.tally.is_enough() && self.hope.has_passed()
    }

    /// Notes that something new was covered.
    pub(crate) fn note_news(&mut self) {
        self.idle = 0;
        self.questions_at_news = self.constraints.questions();
        self.hope = self.config.deadline.part(2);
    }

    /// Whether the deadline has passed.
    pub(crate) fn late(&self) -> bool {
        self.config.deadline.has_passed()
    }

    /// The limit by which the deadline has passed, if it has.
    pub(crate) fn cut_by(&self) -> Option<Limit> {
        let limit = if self.config.deadline.is_worked_off() { Limit::Effort } else { Limit::Time };
        self.late().then_some(limit)
    }

    /// The path that goes on at an open branch.
    fn resume(&mut self, open: Open, model: Rc<Model>) -> Path {
        let mut path = Path { state: Rc::unwrap_or_clone(open.state), model };
        match open.resume {
            Resume::Go(to, event) => {
                let function = &self.program.functions[path.state.frame().function];
                self.note_reason(&mut path, open.when, event);
                branch::go(&mut path, function, to, event);
            }
            Resume::Label(label) => self.claim(&mut path, label, open.when),
            Resume::Again => {}
        }
        path
    }

    pub(crate) fn concrete_input(&mut self, state: &State, model: &Model) -> Input {
        input::concrete(self.program, self.constraints.terms(), &state.memory, &state.inputs, model)
    }
}
