//! An exploration that can be interrupted: it pauses when heading for objectives has led to nothing new for long, so that
//! the caller may settle some of them in another way, and then goes on where it was.
//!
//! Where the first paths do not cover everything, abstract interpretation says which objectives are out of reach.

use clew_analyze::facts::{self, Options};
use clew_coverage::{Criterion, Ledger};
use clew_execute::Input;
use clew_ir::{FunctionId, Program};

use crate::config::Config;
use crate::earlier::Earlier;
use crate::ending::Limit;
use crate::{Explored, Explorer, Next, Path, Precondition, Stop, Summary, Unusable, exclude};

/// The exploration of the paths of a function.
pub struct Exploration<'p> {
    explorer: Explorer<'p>,
    /// The path to be run next.
    path: Option<Path>,
    /// What abstract interpretation needs to know, until it is asked.
    unasked: Option<(FunctionId, Precondition)>,
    /// Paths run so far.
    paths: u64,
}

/// Paths to be run before abstract interpretation is asked what is out of reach.
const FIRST_PATHS: u64 = 24;

/// Questions to the solver after which it is asked in any case.
const FIRST_QUESTIONS: u64 = 400;

/// So many times as many of both, as long as there is no test.
const WITHOUT_TEST: u64 = 8;

/// Whether there is more to explore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Nothing new was found for long.
    Stalled,
    /// The exploration is over.
    Over,
}

impl<'p> Exploration<'p> {
    /// Prepares the exploration of a function.
    ///
    /// # Errors
    /// If the precondition cannot be used.
    pub fn new(
        program: &'p Program,
        function: FunctionId,
        precondition: &Precondition,
        config: &Config,
    ) -> Result<Exploration<'p>, Unusable> {
        let mut explorer = Explorer::new(program, function, config.clone());
        explorer.earlier = Earlier::new(program, function, precondition, config);
        let path = Some(explorer.start(function, precondition)?);
        // Quantified clauses are instantiated for one call.
        if explorer.has_quantified_clauses() {
            explorer.earlier = None;
        }
        if explorer.earlier.is_some() {
            explorer.open.keep_aside();
        }
        Ok(Exploration { explorer, path, unasked: Some((function, precondition.clone())), paths: 0 })
    }

    /// Takes an input that exists already: what it covers need not be looked for. To be called before exploring begins;
    /// `None` if the input cannot be followed.
    pub fn give(&mut self, input: &Input) -> Option<Explored> {
        let start = self.path.clone()?;
        let mut explored = self.explorer.follow_input(&start, input)?;
        explored.news = self.explorer.covered(&explored.trace, &explored.end);
        self.explorer.tally.count_given(&explored);
        Some(explored)
    }

    /// Explores on. `found` is given each path that was run to its end.
    pub fn run(&mut self, found: &mut dyn FnMut(Explored) -> Next) -> Progress {
        let explorer = &mut self.explorer;
        std::mem::take(&mut explorer.lost).into_iter().for_each(|lost| {
            found(lost);
        });
        if let Some(start) = &self.path
            && explorer.run_seeds(start, start.state.frame().function, found) == Next::Stop
        {
            return Progress::Over;
        }
        let mut path = self.path.take().or_else(|| explorer.next_path());
        while let Some(mut running) = path.take() {
            let next = match explorer.run(&mut running) {
                Some(end) => explorer.finish(running, end, found),
                None => explorer.park(running),
            };
            if next == Next::Stop {
                return Progress::Over;
            }
            self.paths += 1;
            // A test is worth more than what cannot be tested.
            let times = if explorer.tally.is_enough() { 1 } else { WITHOUT_TEST };
            let (paths, questions) = (self.paths / times, explorer.constraints.questions() / times);
            if paths >= FIRST_PATHS || questions >= FIRST_QUESTIONS {
                ask(explorer, &mut self.unasked);
            }
            path = explorer.next_path();
        }
        ask(explorer, &mut self.unasked);
        if explorer.stop == Stop::Stalled {
            explorer.stop = Stop::Exhausted;
            return Progress::Stalled;
        }
        Progress::Over
    }

    /// The objectives as far as exploring decided them; whoever decides more here spares the exploration looking for them.
    pub fn goals(&mut self) -> Option<&mut Ledger<'p>> {
        self.explorer.goals.as_mut()
    }

    /// Whether no path was left out so far; once it is over, what no path covered is then infeasible.
    pub fn is_complete(&self) -> bool {
        let explorer = &self.explorer;
        let is_tried = explorer.earlier.as_ref().is_some_and(|earlier| earlier.limit().is_none());
        let mut limits = explorer.limits.iter().filter(|limit| !(is_tried && **limit == Limit::Static));
        explorer.stop == Stop::Exhausted && explorer.given_up.is_empty() && limits.next().is_none()
    }

    /// What the exploration did.
    pub fn summary(self) -> Summary {
        self.explorer.summary()
    }
}

/// Lets abstract interpretation say once which objectives are out of reach, if there are any left.
fn ask(explorer: &mut Explorer<'_>, unasked: &mut Option<(FunctionId, Precondition)>) {
    let Some(goals) = explorer.goals.as_mut().filter(|goals| goals.open() > 0) else { return };
    if let Some((function, precondition)) = unasked.take() {
        let moves_are_checked = explorer.config.criteria.contains(&Criterion::Error);
        let options = Options { moves_are_checked, ..exclude::options(&precondition, explorer.config.deadline) };
        explorer.facts = facts::facts(explorer.program, function, &options);
        exclude::exclude(goals, &explorer.facts);
    }
}
