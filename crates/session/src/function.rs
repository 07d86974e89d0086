//! Testing one function: explore its paths, execute every input for real, keep what was observed.
//!
//! Exploration and native execution run side by side: paths go through a channel to a thread that builds the function
//! natively while the first paths are being found, and then replays them in batches. What is reported does not depend on
//! how the two interleave: tests are numbered in the order they were found.

mod improve;
mod minimise;
mod mutation;
mod natives;
mod observed;
mod optimised;
mod outcome;
pub(crate) mod overlap;
pub mod parts;
mod patience;
mod pursue;
mod queue;
mod replay;
mod settle;

use crate::event::{Listener, Shared};
use crate::finding;
pub use crate::globals::observed_globals;
use crate::policy;
use clew_execute::Input;
use clew_execute::native;
use clew_execute::usage::ProcessorTime;
use clew_ir::{FunctionId, Program};
use clew_prove::exclude::{Proved, ask};
use clew_search::deal::Deal;
use clew_search::sample::{Drawn, Sampling};
use clew_search::{Next, Progress, Search, Stop, Summary, objectives};
use clew_solver::clock;
use clew_symbolic::config::{Config, Mode};
use clew_symbolic::ending::PathEnd;
use clew_symbolic::kpath::graph;
use clew_symbolic::{Explored, Precondition, Unusable};
pub use mutation::{Kills, measure, named_lines};
pub use natives::{Natives, Refine, options};
pub use optimised::{Difference, Optimised, computes_with_floats};
pub(crate) use outcome::assumptions;
pub use outcome::{Outcome, Replayed, ReplayedFinding};
use parts::{Parts, Told};
use patience::Patience;
use queue::Queue;
pub use replay::Executor;
use replay::{Replay, Replays};
pub use settle::Settled;
use std::fmt;
use std::time::{Duration, Instant};

/// What to do with one function.
#[derive(Clone, Debug)]
pub struct Request<'a, 'n> {
    /// The program.
    pub program: &'a Program,
    /// Its native build.
    pub natives: &'n Natives<'a>,
    /// The function to test.
    pub function: FunctionId,
    /// What must hold of inputs, beyond the contract.
    pub precondition: Precondition,
    /// How to explore.
    pub config: Config,
}

/// Why a function was not tested.
#[derive(Debug)]
pub enum Error {
    /// The precondition cannot be used.
    Precondition(Unusable),
    /// The function cannot be built natively.
    Build(native::BuildError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Precondition(unusable) => unusable.fmt(f),
            Error::Build(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

/// Tests one function; `listener` is told what happens meanwhile.
///
/// # Errors
/// If the precondition cannot be used or the function cannot be built natively.
pub fn run<'p>(request: &Request<'p, '_>, listener: Listener<'_>) -> Result<Outcome<'p>, Error> {
    complement(request, &[], listener)
}

/// The same for a function that has tests already: those come first, and only what they leave open is looked for.
///
/// # Errors
/// If the precondition cannot be used or the function cannot be built natively.
pub fn complement<'p>(
    request: &Request<'p, '_>,
    given: &[Input],
    listener: Listener<'_>,
) -> Result<Outcome<'p>, Error> {
    chosen(request, &Chosen { given, ..Chosen::default() }, listener)
}

/// Which inputs are tests besides those that the search finds, or instead of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chosen<'i> {
    /// Tests that exist already.
    pub given: &'i [Input],
    /// Inputs that were drawn: they alone are the tests.
    pub drawn: Option<&'i [Input]>,
    /// How many inputs of each path are drawn.
    pub sampling: Option<Sampling>,
    /// Who else runs parts of a long search; `None` if nobody does.
    pub parts: Option<&'i dyn Parts>,
}

impl Chosen<'_> {
    /// Whether inputs are drawn. They stay as they are, lest they are no longer evenly distributed.
    fn is_drawn(&self) -> bool {
        self.drawn.is_some() || self.sampling.is_some()
    }
}

/// The same with inputs that are drawn.
///
/// # Errors
/// If the precondition cannot be used or the function cannot be built natively.
pub fn chosen<'p>(
    request: &Request<'p, '_>,
    inputs: &Chosen<'_>,
    listener: Listener<'_>,
) -> Result<Outcome<'p>, Error> {
    let given = inputs.given;
    let (start, used) = (Instant::now(), ProcessorTime::now());
    let listener = &Shared::new(listener);
    let observed = observed_globals(request.program, request.function);
    let queue = Queue::default();
    std::thread::scope(|scope| {
        let (sender, receiver) = queue.ends();
        let replay = scope.spawn(|| Replay::new(request, &observed)?.all(request, receiver, listener));
        let mut unsupported: Vec<(PathEnd, u64)> = Vec::new();
        let mut proved = Vec::new();
        let mut draws = Vec::new();
        let before = clock::work();
        let explored = explored(request, (inputs, &mut draws), listener, &mut proved, &mut |path| {
            if let PathEnd::Unsupported { .. } = path.end {
                count(&mut unsupported, path.end.clone());
                if !request.config.references
                    || unsupported.iter().map(|(_, number)| number).sum::<u64>()
                        > policy::MAX_UNSUPPORTED_OBSERVED.get()
                {
                    return Next::Continue;
                }
            }
            // A replay that failed has hung up; exploring on would be in vain.
            if sender.send(path) { Next::Continue } else { Next::Stop }
        });
        let (exploring, worked) = (start.elapsed(), clock::work().saturating_sub(before));
        drop(sender);
        let replays = replay.join().expect("the replaying thread does not panic")?;
        let Replays { mut replay, mut tests, failed: not_executed, unconfirmed } = replays;
        let mut summary = explored.map_err(Error::Precondition)?;
        if request.config.mode == Mode::Paths && !inputs.is_drawn() {
            let Config { bound, whole, .. } = request.config;
            summary.graph = graph::paths(request.program, request.function, bound, whole);
        }
        let kills = match inputs.is_drawn() {
            true => None,
            false => improve::refine(request, &observed, &mut replay, &mut tests, worked),
        };
        let patience = Patience::new(request.config.limits.deadline);
        let mut findings = replay.findings(&summary.findings, &patience);
        finding::weigh(request.program, request.function, &mut findings);
        let followed = tests.iter().filter(|test| test.explored.given).count();
        let given_lost = given.len() - followed.min(given.len());
        let executed = tests.len();
        let mut outcome = Outcome {
            optimised: optimised::differences(request, &observed, &tests, start.elapsed()),
            tests,
            summary,
            findings,
            unsupported,
            given_lost,
            draws,
            drawn_lost: inputs.drawn.map_or(0, |drawn| drawn.len().saturating_sub(executed)),
            not_executed,
            ledger: objectives(request.program, request.function, &request.config),
            observed: observed.clone(),
            kills,
            elapsed: Duration::ZERO,
            exploring,
            native: replay.busy,
            building: replay.building,
            shared: replay.executor.shared(),
            processor_time: ProcessorTime::default(),
            effort: worked,
        };
        outcome.judge(request.config.bound, proved, &unconfirmed);
        outcome.assume(request);
        outcome.tell(listener);
        // What the processes of tests used is known when they have ended.
        drop(replay);
        outcome.processor_time = ProcessorTime::now().since(used);
        outcome.elapsed = start.elapsed();
        Ok(outcome)
    })
}

/// Explores; where that heads for objectives and stalls, asks facts about what is open, and pursues the rest as goals,
/// before going on.
fn explored(
    request: &Request<'_, '_>,
    (inputs, draws): (&Chosen<'_>, &mut Vec<Drawn>),
    listener: &Shared<'_>,
    proved: &mut Vec<Proved>,
    found: &mut dyn FnMut(Explored) -> Next,
) -> Result<Summary, Unusable> {
    let before = clock::work();
    let mut search = Search::new(request.program, request.function, &request.precondition, &request.config)?;
    for explored in inputs.given.iter().filter_map(|input| search.give(input)).collect::<Vec<_>>() {
        found(explored);
    }
    if let Some(drawn) = inputs.drawn {
        for explored in drawn.iter().filter_map(|input| search.give(input)).collect::<Vec<_>>() {
            found(Explored { given: false, ..explored });
        }
        return Ok(Summary { stop: Stop::Asked, ..search.summary() });
    }
    if let Some(sampling) = inputs.sampling {
        search.sample(sampling);
    }
    let deal = Deal::of(&request.config).filter(|_| inputs.given.is_empty());
    if let Some(deal) = deal {
        search.ripen(deal.when);
    }
    let mut add = |more: Vec<Proved>| {
        more.iter().for_each(|(id, proof)| listener.decided(*id, &clew_coverage::Verdict::Infeasible(proof.clone())));
        proved.extend(more);
    };
    let mut told = Told { proved: &mut add, is_asked: false };
    let progress = parts::search(request, &mut search, &mut told, found);
    if let (Progress::Ripe, Some(deal)) = (progress, deal) {
        parts::go_on(request, &mut search, deal, inputs.parts, &mut told, found);
    }
    *draws = search.drawn().to_vec();
    let is_asked = told.is_asked || search.is_complete();
    if let Some(goals) = search.ledger().filter(|goals| !is_asked && goals.open() > 0) {
        add(ask(goals, request.function, &request.precondition, &request.config));
    }
    overlap::retry(request, &mut search, clock::work().saturating_sub(before), found);
    Ok(search.summary())
}

fn count(counts: &mut Vec<(PathEnd, u64)>, end: PathEnd) {
    match counts.iter_mut().find(|(known, _)| *known == end) {
        Some((_, number)) => *number += 1,
        None => counts.push((end, 1)),
    }
}
