//! The search for tests, path by path.
//!
//! [`Search::run`] is the loop: pick an open branch; ask the solver for an input that goes there; run the program
//! symbolically along that input to its end, leaving every branch not taken open; hand the input to the caller, who
//! executes it for real; repeat until no branch is open. A path is a sequence of condition outcomes; the prefix up to an
//! open branch and its alternative is taken, refuted or given up. Which open branch comes next is up to the `strategy`:
//! depth first, as in PathCrawler (Williams, Marre, Mouy, Roger 2005), or the one nearest to what criteria still ask for.
//! The state at an open branch is kept, so nothing is executed twice.

mod accelerate;
mod branch;
mod branching;
pub mod deal;
mod earlier;
mod excluded;
mod findings;
mod finish;
mod given;
mod guard;
mod next;
pub mod part;
pub mod policy;
mod refute;
pub mod refuted;
pub mod resident;
mod run;
pub mod sample;
mod seed;
mod stagnation;
mod steer;
mod strategy;
pub mod summary;
mod tally;
mod unfinished;

use clew_coverage::Ledger;
use clew_coverage::label::LabelId;
use clew_ir::{FunctionId, Program};
use clew_solver::clock::Deadline;
use clew_symbolic::config::Config;
use clew_symbolic::ending::Limit;
use clew_symbolic::kpath::graph::Seen;
use clew_symbolic::{Explored, Open, Path, Precondition, Stepper, Unusable};
use std::collections::BTreeSet;

use crate::branching::Branching;
use crate::earlier::Earlier;
use crate::excluded::Excluded;
use crate::findings::Findings;
use crate::refuted::Refutations;
use crate::stagnation::Stagnation;
use crate::strategy::{DepthFirst, Directed, Strategy};
use crate::tally::{Adopted, Tally};
use crate::unfinished::Unfinished;

pub use crate::summary::{Stop, Summary};

/// The search for tests of one function. It pauses when heading for objectives has led to nothing new for long, so that the
/// caller may settle some of them in another way, and then goes on where it was.
pub struct Search<'p> {
    stepper: Stepper<'p>,
    /// Open branches, in the order of a strategy.
    open: Box<dyn Strategy<'p> + 'p>,
    /// The objectives with their verdicts, if criteria were asked for.
    ledger: Option<Ledger<'p>>,
    /// The calls of the function, if it remembers earlier ones.
    earlier: Option<Earlier>,
    /// The beginning of every path, until it is run.
    start: Option<Path>,
    branching: Branching,
    excluded: Excluded,
    findings: Findings,
    unfinished: Unfinished,
    refutations: Refutations,
    /// The paths so far by their decisions, where these alone tell paths apart.
    decided: Seen,
    stagnation: Stagnation,
    tally: Tally,
    /// The ways in which the function is entered that were left open.
    entered: BTreeSet<u32>,
    /// The open branch at which the path that runs was begun for the sake of a label.
    labelled: Option<Open>,
    /// Labels of such paths that were put aside: where they begin is not known any more.
    parked_labels: BTreeSet<LabelId>,
    /// Paths that ended in something unsupported before the function was entered.
    rejected: Vec<Explored>,
    /// What is drawn of each path.
    sampling: Option<sample::Sampling>,
    /// How that went.
    drawn: Vec<sample::Drawn>,
    stop: Stop,
    /// When to look whether it is time to go on in parts.
    ripe: Option<Deadline>,
    /// What parts brought.
    adopted: Adopted,
    /// Whether an input that is followed is made anew of what its path looks at.
    is_fresh: bool,
}

/// Whether to go on after a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Go on.
    Continue,
    /// Stop here.
    Stop,
}

/// Whether there is more to search for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Nothing new was found for long.
    Stalled,
    /// There is enough left open to go on in parts.
    Ripe,
    /// The search is over.
    Over,
}

impl<'p> Search<'p> {
    /// Searches on. `found` is given each path that was run to its end, with its input to be executed.
    pub fn run(&mut self, found: &mut dyn FnMut(Explored) -> Next) -> Progress {
        if self.begin(found) == Next::Stop {
            return Progress::Over;
        }
        while let Some(next) = self.pick() {
            let Some(mut path) = self.input_for(next) else { continue };
            let next = match self.run_path(&mut path) {
                Some(end) => self.finish(path, end, found),
                None => self.park(path),
            };
            if next == Next::Stop {
                return Progress::Over;
            }
            self.exclude_in_time();
        }
        self.pause(found)
    }

    /// Prepares the search for tests of a function.
    ///
    /// # Errors
    /// If the precondition cannot be used.
    pub fn new(
        program: &'p Program,
        function: FunctionId,
        precondition: &Precondition,
        config: &Config,
    ) -> Result<Search<'p>, Unusable> {
        let mut search = Search::idle(program, function, config.clone());
        search.excluded = Excluded::new(function, precondition);
        search.earlier = Earlier::new(program, function, precondition, config);
        search.stepper.recording.call_names = search.earlier.is_some();
        match search.start_state(function, precondition) {
            Ok(start) => search.start = Some(start),
            // The search is over before it begins.
            Err(Unusable { limit: Some(limit), .. }) if search.stepper.config.limits.deadline.has_passed() => {
                search.unfinished.limits.insert(limit);
            }
            Err(unusable) => return Err(unusable),
        }
        // Quantified clauses are instantiated for one call.
        if search.stepper.has_quantified_clauses() {
            search.earlier = None;
            search.stepper.recording.call_names = false;
        }
        if search.earlier.is_some() {
            search.open.keep_aside();
        }
        Ok(search)
    }

    /// A search that has not begun.
    fn idle(program: &'p Program, function: FunctionId, config: Config) -> Search<'p> {
        let ledger = objectives(program, function, &config);
        let open: Box<dyn Strategy<'p> + 'p> = if config.is_directed() {
            Box::new(Directed::new(program, function))
        } else {
            Box::new(DepthFirst::default())
        };
        let stagnation = Stagnation::new(config.limits.deadline);
        let mut stepper = Stepper::new(program, config);
        if let Some(ledger) = &ledger {
            stepper.record(ledger.labels());
        }
        Search {
            stepper,
            open,
            ledger,
            earlier: None,
            start: None,
            branching: Branching::default(),
            excluded: Excluded::default(),
            findings: Findings::default(),
            unfinished: Unfinished::default(),
            refutations: Refutations::default(),
            decided: Seen::default(),
            stagnation,
            tally: Tally::default(),
            entered: BTreeSet::new(),
            labelled: None,
            parked_labels: BTreeSet::new(),
            rejected: Vec::new(),
            sampling: None,
            drawn: Vec::new(),
            stop: Stop::Exhausted,
            ripe: None,
            adopted: Adopted::default(),
            is_fresh: false,
        }
    }

    /// Hands over what was rejected, and runs seeds before the first path.
    fn begin(&mut self, found: &mut dyn FnMut(Explored) -> Next) -> Next {
        std::mem::take(&mut self.rejected).into_iter().for_each(|rejected| {
            found(rejected);
        });
        match self.start.clone() {
            Some(start) => self.run_seeds(&start, start.state.frame().function, found),
            None => Next::Continue,
        }
    }

    /// Why no more paths are run now. Where the search is over, paths that have not ended are handed over.
    fn pause(&mut self, found: &mut dyn FnMut(Explored) -> Next) -> Progress {
        self.exclude();
        let pause = match self.stop {
            Stop::Stalled => Some(Progress::Stalled),
            Stop::Ripe => Some(Progress::Ripe),
            _ => None,
        };
        if let Some(pause) = pause {
            self.stop = Stop::Exhausted;
            return pause;
        }
        self.hand_over_unended(found);
        Progress::Over
    }

    /// The objectives as far as the search decided them. Objectives decided here from outside are not searched for.
    pub fn ledger(&mut self) -> Option<&mut Ledger<'p>> {
        self.ledger.as_mut()
    }

    /// Whether no path was left out so far; once the search is over, what no path covered is then infeasible.
    pub fn is_complete(&self) -> bool {
        let is_tried = self.earlier.as_ref().is_some_and(|earlier| earlier.limit().is_none());
        let mut limits = self.unfinished.limits.iter().filter(|limit| !(is_tried && **limit == Limit::Static));
        self.stop == Stop::Exhausted && self.unfinished.given_up.is_empty() && limits.next().is_none()
    }
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
    let mut search = Search::new(program, function, precondition, config)?;
    while search.run(found) == Progress::Stalled {}
    Ok(search.summary())
}

/// The objectives that a configuration asks for; `None` without criteria.
pub fn objectives<'p>(program: &'p Program, function: FunctionId, config: &Config) -> Option<Ledger<'p>> {
    Ledger::asked_for(program, function, &config.scope, &config.criteria)
}
