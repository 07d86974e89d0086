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
pub(crate) mod overlap;
mod patience;
mod pursue;
mod queue;
mod settle;

use crate::event::{Event, Listener, Shared};
use crate::finding::{self, Kind, Worth};
use crate::infer;
use clew_coverage::{Assumption, Ledger, ObjectiveId, Proof, Reason, Verdict};
use clew_execute::native::{self, Job, Native};
use clew_execute::usage::ProcessorTime;
use clew_execute::{Ending, Input, Observation};
use clew_ir::{CType, CTypeId, FunctionId, GlobalId, Program};
use clew_prove::exclude::{Proved, ask, exclude};
use clew_scalar::Format;
use clew_search::sample::{Drawn, Sampling};
use clew_search::{Next, Progress, Search, Stop, Summary, objectives};
use clew_solver::clock;
use clew_symbolic::config::{Assumptions, Config, Mode};
use clew_symbolic::ending::{Finding, PathEnd};
use clew_symbolic::kpath::graph;
use clew_symbolic::{Explored, Precondition, Unusable};
pub use mutation::{Kills, measure, named_lines};
pub use natives::{Natives, Refine, options};
pub use optimised::{Difference, Optimised, computes_with_floats};
use patience::Patience;
use pursue::pursue;
use queue::{Queue, Receiver, Taken};
pub use settle::Settled;
use std::collections::BTreeSet;
use std::fmt;
use std::time::{Duration, Instant};

/// Inputs that are run although exploration does not know all they do.
const MOST_OBSERVED: u64 = 64;

/// How often progress is told while no path comes.
const PULSE: Duration = Duration::from_millis(500);

/// Bytes of an extended float; where it takes more, the rest is padding.
const X87_BYTES: usize = 10;

/// Processor time that a test has which runs into something undefined: it may do anything from there on, and often goes on
/// for ever if it does not end at once.
const UNDEFINED_TIME: Duration = Duration::from_millis(100);

/// Processor time that a test has which is not known to end.
const UNENDED_TIME: Duration = Duration::from_millis(250);

/// How many of these are run before looking at the time again.
const UNENDED_AT_ONCE: usize = 2;

/// How many of the first tests, and of those that take longer than so much on average, are run before looking at the time
/// again.
const FIRST_AT_ONCE: usize = 16;
const SLOW_AT_ONCE: usize = 4;
const SLOW: Duration = Duration::from_millis(20);

/// Findings that are run before looking at the time again.
const FINDINGS_AT_ONCE: usize = 16;

/// Runs inputs of a function for real: its native build, or a JVM.
pub trait Executor: Send + fmt::Debug {
    /// Runs inputs, each as if it were the only one.
    fn run_all(&mut self, jobs: &[Job<'_>]) -> Vec<Result<Observation, String>>;

    /// Limits the time of each run from now on.
    fn limit_time(&mut self, time: Duration);

    /// Whether inputs are run, too, of which exploration does not know all they do.
    fn observes(&self) -> bool {
        false
    }

    /// Whether earlier observations are to be made again, for runs had an effect on each other.
    fn is_doubtful(&self) -> bool {
        false
    }

    /// Whether no two runs share anything.
    fn is_apart(&self) -> bool {
        true
    }

    /// Has no two runs share anything from now on.
    fn keep_apart(&mut self) {}

    /// How many runs shared a process so far.
    fn shared(&self) -> u64 {
        0
    }
}

impl Executor for Native<'_> {
    fn run_all(&mut self, jobs: &[Job<'_>]) -> Vec<Result<Observation, String>> {
        let results = Native::run_all(self, jobs).into_iter();
        results.map(|result| result.map_err(|error| error.to_string())).collect()
    }

    fn limit_time(&mut self, time: Duration) {
        Native::limit_time(self, time);
    }

    fn is_doubtful(&self) -> bool {
        Native::is_doubtful(self)
    }

    fn is_apart(&self) -> bool {
        Native::is_apart(self)
    }

    fn keep_apart(&mut self) {
        Native::keep_apart(self);
    }

    fn shared(&self) -> u64 {
        Native::shared(self)
    }
}

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

/// A path with what its execution showed.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// What was predicted.
    pub explored: Explored,
    /// What was observed.
    pub observation: Observation,
    /// The first difference between the two.
    pub divergence: Option<String>,
}

impl Replayed {
    /// Whether it ran as predicted to an end that C defines.
    pub fn is_usable(&self) -> bool {
        self.divergence.is_none() && self.explored.end.covers()
    }
}

/// A failing check with what the execution of its input showed.
#[derive(Clone, Debug)]
pub struct ReplayedFinding {
    /// What was found.
    pub finding: Finding,
    /// What was observed; `None` if the input could not be executed.
    pub observation: Option<Observation>,
    /// What it is worth.
    pub worth: Worth,
}

/// What came of testing a function.
#[derive(Clone, Debug)]
pub struct Outcome<'p> {
    /// The tests, in the order they were found.
    pub tests: Vec<Replayed>,
    /// What exploration did.
    pub summary: Summary,
    /// Failing checks.
    pub findings: Vec<ReplayedFinding>,
    /// Paths that ended in something unsupported: what, and how many.
    pub unsupported: Vec<(PathEnd, u64)>,
    /// Given inputs that could not be followed: what they cover is not known.
    pub given_lost: usize,
    /// How inputs of paths were drawn, if they were.
    pub draws: Vec<Drawn>,
    /// Drawn inputs that could not be followed or executed.
    pub drawn_lost: usize,
    /// Inputs that could not be executed, and why.
    pub not_executed: Vec<String>,
    /// The objectives with their verdicts, if criteria were asked for. Tests are numbered by their position, findings
    /// after them.
    pub ledger: Option<Ledger<'p>>,
    /// Tests that do something else in an optimised build, or why there is none; `None` if that was not asked.
    pub optimised: Option<Result<Vec<Difference>, String>>,
    /// Globals of which observations hold the bytes.
    pub observed: Vec<GlobalId>,
    /// Which mutants the tests kill, or why that is not known; `None` if it was not asked.
    pub kills: Option<Result<Kills, String>>,
    /// Time of the whole.
    pub elapsed: Duration,
    /// Time of exploration, the solver's included.
    pub exploring: Duration,
    /// Time of native building and execution, side by side with exploration.
    pub native: Duration,
    /// The part of it that went into building.
    pub building: Duration,
    /// Tests that shared a process with others.
    pub shared: u64,
    /// Processor time of the whole, that of compilers and of all tests included.
    pub processor_time: ProcessorTime,
    /// Work of exploration by the clock of `--effort`: the same on every machine.
    pub effort: Duration,
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
                    || unsupported.iter().map(|(_, number)| number).sum::<u64>() > MOST_OBSERVED
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
    let mut is_asked = false;
    let mut add = |more: Vec<Proved>| {
        more.iter().for_each(|(id, proof)| listener.decided(*id, &Verdict::Infeasible(proof.clone())));
        proved.extend(more);
    };
    while search.run(found) == Progress::Stalled {
        if let Some(goals) = search.ledger() {
            if std::mem::replace(&mut is_asked, true) {
                add(pursue(request, goals, found));
            } else {
                add(ask(goals, request.function, &request.precondition, &request.config));
            }
        }
    }
    *draws = search.drawn().to_vec();
    is_asked |= search.is_complete();
    if let Some(goals) = search.ledger().filter(|goals| !is_asked && goals.open() > 0) {
        add(ask(goals, request.function, &request.precondition, &request.config));
    }
    overlap::retry(request, &mut search, clock::work().saturating_sub(before), found);
    Ok(search.summary())
}

impl Outcome<'_> {
    /// Decides every objective by what was executed, and by what was proved.
    fn judge(&mut self, bound: Option<u32>, proved: Vec<Proved>, unended: &[ObjectiveId]) {
        let Some(ledger) = &mut self.ledger else { return };
        let usable = || (0..).zip(&self.tests).filter(|(_, test)| test.is_usable());
        // What is excluded may rest on it that inputs do not overlap.
        let (overlapping, apart): (Vec<_>, Vec<_>) =
            usable().partition(|(_, test)| overlap::overlaps(&test.explored.input));
        let facts_come_first = overlapping.is_empty();
        overlapping.into_iter().for_each(|(number, test)| drop(ledger.record(number, &test.explored.trace)));
        // A test that leads apart contradicts no fact by itself, but may be one half of a pair with one that overlaps.
        if facts_come_first {
            exclude(ledger, &self.summary.facts);
        }
        apart.into_iter().for_each(|(number, test)| drop(ledger.record(number, &test.explored.trace)));
        if !facts_come_first {
            exclude(ledger, &self.summary.facts);
        }
        for (number, finding) in (self.tests.len() as u32..).zip(&self.findings) {
            let failure = &finding.finding.failure;
            ledger.record_failure(number, failure.function, failure.check);
        }
        proved.into_iter().for_each(|(id, proof)| ledger.decide(id, Verdict::Infeasible(proof)));
        let diverged = self.tests.iter().filter(|test| test.divergence.is_some());
        let unconfirmed = diverged.flat_map(|test| &test.explored.newly_covered);
        let unconfirmed = unconfirmed.chain(unended);
        unconfirmed.for_each(|id| ledger.decide(*id, Verdict::Unknown(Reason::NotConfirmed)));
        let unknown = Verdict::Unknown(reason(&self.summary, &self.unsupported));
        let proof = self.summary.proof_of_some(bound).filter(|_| self.is_whole());
        let rest = proof.map_or_else(|| unknown.clone(), Verdict::Infeasible);
        let Some(ledger) = &mut self.ledger else { return };
        self.summary.doubtful.iter().for_each(|id| ledger.decide(*id, unknown.clone()));
        if matches!(rest, Verdict::Infeasible(_)) {
            let mut twin = ledger.reopened();
            for id in self.summary.undefined.iter().flat_map(|trace| twin.record(u32::MAX, trace)) {
                ledger.decide(id, Verdict::Infeasible(Proof::Undefined(bound)));
            }
        }
        ledger.settle(&rest);
    }

    /// Names what verdicts take for granted, or takes those back that take something for granted.
    fn assume(&mut self, request: &Request<'_, '_>) {
        let Some(ledger) = &mut self.ledger else { return };
        ledger.assume(assumptions(request));
        if request.config.assumptions == Assumptions::Rejected {
            ledger.reject_assumptions();
        }
    }

    /// Tells what is known at the end: every verdict, every finding, every limit.
    fn tell(&self, listener: &Shared<'_>) {
        for (id, _, verdict) in self.ledger.iter().flat_map(Ledger::entries) {
            listener.decided(id, verdict);
        }
        self.findings.iter().for_each(|finding| listener.tell(&Event::Finding(finding)));
        let limits = self.summary.limits.iter().chain(self.summary.given_up.keys());
        limits.for_each(|limit| listener.tell(&Event::Limit(limit.name())));
    }

    /// What is proved of everything that no test does; `None` if something was left out or not confirmed.
    pub fn proof(&self, bound: Option<u32>) -> Option<Proof> {
        self.summary.proof(bound).filter(|_| self.is_whole())
    }

    /// Whether every path found was supported, executed and confirmed.
    fn is_whole(&self) -> bool {
        let confirmed = self.tests.iter().all(|test| test.divergence.is_none());
        self.unsupported.is_empty() && self.not_executed.is_empty() && confirmed
    }
}

/// What verdicts about the function take for granted.
pub(crate) fn assumptions(request: &Request<'_, '_>) -> BTreeSet<Assumption> {
    if request.config.references {
        return [Assumption::JavaModel].into();
    }
    infer::assumptions(request)
}

/// Why an exploration leaves objectives undecided: what stopped it, and what it left out besides.
fn reason(summary: &Summary, unsupported: &[(PathEnd, u64)]) -> Reason {
    let mut left_out = summary.limits.iter().chain(summary.given_up.keys()).map(|limit| limit.name());
    let stopped = match summary.stop {
        Stop::Effort => "effort",
        Stop::Time => "time",
        Stop::Stagnant => "time: nothing new in half of what was left",
        Stop::Memory => "memory",
        Stop::Tests => "number of tests",
        Stop::Asked => "stopped",
        _ => {
            return match (unsupported.first(), left_out.next()) {
                (Some((PathEnd::Unsupported { what, .. }, _)), _) => Reason::Unsupported(what.clone()),
                (_, Some(reached)) => Reason::Limit(reached.into_owned()),
                (_, None) => Reason::NotConfirmed,
            };
        }
    };
    let besides: BTreeSet<_> = left_out.filter(|limit| *limit != stopped).collect();
    Reason::Limit(if besides.is_empty() {
        stopped.to_owned()
    } else {
        format!("{stopped}; left out besides: {}", besides.into_iter().collect::<Vec<_>>().join(", "))
    })
}

fn count(counts: &mut Vec<(PathEnd, u64)>, end: PathEnd) {
    match counts.iter_mut().find(|(known, _)| *known == end) {
        Some((_, number)) => *number += 1,
        None => counts.push((end, 1)),
    }
}

/// The variables the function may change by name.
pub fn observed_globals(program: &Program, function: FunctionId) -> Vec<GlobalId> {
    let reach = clew_analyze::reach::reach(program, function);
    let changes = |global: &GlobalId| {
        let data = &program.globals[*global];
        let is_there = data.init.is_some() || data.address.is_some();
        data.kind == clew_ir::GlobalKind::Variable && !data.is_const && !data.span.is_none() && is_there
    };
    reach.globals.into_iter().filter(changes).collect()
}

/// The executing side of a session.
struct Replay<'a> {
    executor: Box<dyn Executor + 'a>,
    /// Time spent building and executing.
    busy: Duration,
    /// Time spent building.
    building: Duration,
}

/// What an execution showed, and where that differs from the prediction.
type Compared = (Observation, Option<String>);

/// What came of replaying paths.
struct Replays<'a> {
    replay: Replay<'a>,
    tests: Vec<Replayed>,
    /// Why inputs could not be executed.
    failed: Vec<String>,
    /// Objectives of paths that were to go on and did not.
    unconfirmed: Vec<ObjectiveId>,
}

impl<'a> Replay<'a> {
    fn new(request: &Request<'a, '_>, observed: &[GlobalId]) -> Result<Replay<'a>, Error> {
        let start = Instant::now();
        let executor = request.natives.executor(request.function, observed).map_err(Error::Build)?;
        let building = start.elapsed();
        Ok(Replay { executor, busy: building, building })
    }

    /// Replays paths until there are no more.
    fn all(
        mut self,
        request: &Request<'_, '_>,
        paths: Receiver<'_>,
        listener: &Shared<'_>,
    ) -> Result<Replays<'a>, Error> {
        let (mut tests, mut failed, mut unended) = (Vec::new(), Vec::new(), Vec::new());
        let patience = Patience::new(request.config.limits.deadline);
        let mut unconfirmed = Vec::new();
        loop {
            let mut batch = match paths.take(PULSE) {
                Taken::Paths(batch) => {
                    let (without_end, batch): (Vec<_>, Vec<_>) =
                        batch.into_iter().partition(|path: &Explored| path.end == PathEnd::Unended);
                    unended.extend(without_end);
                    batch
                }
                Taken::Nothing => {
                    listener.tell(&Event::Pulse { all: &tests });
                    continue;
                }
                Taken::End => break,
            };
            let (start, mut known) = (Instant::now(), tests.len());
            let was_doubtful = self.executor.is_doubtful();
            let mut results = self.execute_in_time(request, &batch, &patience, known);
            for left in batch.drain(results.len()..) {
                failed.push("there was no time to execute it".to_owned());
                unconfirmed.extend(left.newly_covered);
            }
            if self.executor.is_doubtful() && !was_doubtful {
                // What earlier tests showed in a process that they shared does not count.
                let earlier = tests.drain(..).map(|test: Replayed| test.explored);
                batch = earlier.chain(batch).collect();
                results = self.compare(request, &batch);
                known = 0;
            }
            self.busy += start.elapsed();
            for (explored, result) in batch.into_iter().zip(results) {
                match result {
                    Ok((_, Some(_))) if depends_on_places(&explored) => {
                        failed.push("its path depends on where objects lie".to_owned());
                    }
                    Ok((observation, divergence)) if matches!(explored.end, PathEnd::Unsupported { .. }) => {
                        tests.extend(observed::test(request, explored, observation, divergence.as_ref(), &tests));
                    }
                    Ok((observation, divergence)) => tests.push(Replayed { explored, observation, divergence }),
                    Err(_) if matches!(explored.end, PathEnd::Unsupported { .. }) => {}
                    Err(error) => failed.push(error),
                }
            }
            listener.executed(&tests, tests.len() - known);
        }
        let known = tests.len();
        unconfirmed.extend(self.unended(request, unended, &mut tests));
        listener.executed(&tests, tests.len() - known);
        Ok(Replays { replay: self, tests, failed, unconfirmed })
    }

    /// Executes paths that are not known to end: those that do not end in time are tests. Of the others nothing is known from
    /// the last prediction on, so that what they cover is not confirmed.
    fn unended(
        &mut self,
        request: &Request<'_, '_>,
        paths: Vec<Explored>,
        tests: &mut Vec<Replayed>,
    ) -> Vec<ObjectiveId> {
        if paths.is_empty() {
            return Vec::new();
        }
        self.executor.limit_time(UNENDED_TIME);
        let patience = Patience::new(request.config.limits.deadline);
        let mut results = Vec::new();
        for some in paths.chunks(UNENDED_AT_ONCE).take_while(|_| !patience.is_over()) {
            results.extend(self.compare(request, some));
        }
        let left = paths.get(results.len()..).unwrap_or_default();
        let mut unconfirmed: Vec<ObjectiveId> = left.iter().flat_map(|path| path.newly_covered.clone()).collect();
        for (explored, result) in paths.into_iter().zip(results) {
            match result {
                Ok((observation, None)) if observation.ending == Ending::TimedOut => {
                    tests.push(Replayed { explored, observation, divergence: None });
                }
                Ok((observation, None)) if self.executor.observes() => {
                    unconfirmed.extend(explored.newly_covered.iter().copied());
                    tests.extend(observed::test(request, explored, observation, None, tests));
                }
                _ => unconfirmed.extend(explored.newly_covered),
            }
        }
        unconfirmed
    }

    /// Executes paths as long as there is time, after so many others; the last ones may be left out.
    fn execute_in_time(
        &mut self,
        request: &Request<'_, '_>,
        batch: &[Explored],
        patience: &Patience,
        before: usize,
    ) -> Vec<Result<Compared, String>> {
        let (start, mut results) = (Instant::now(), Vec::new());
        while results.len() < batch.len() && !patience.is_over() {
            let executed = before + results.len();
            let busy = self.busy.saturating_sub(self.building) + start.elapsed();
            let at_once = match busy.checked_div(executed as u32) {
                None => FIRST_AT_ONCE,
                Some(average) if average > SLOW => SLOW_AT_ONCE,
                Some(_) => batch.len(),
            };
            let rest = &batch[results.len()..];
            results.extend(self.execute(request, &rest[..at_once.min(rest.len())]));
        }
        results
    }

    /// Executes paths; if one of them diverges that shared a process with others, each in a process of its own.
    fn execute(&mut self, request: &Request<'_, '_>, batch: &[Explored]) -> Vec<Result<Compared, String>> {
        let results = self.compare(request, batch);
        let diverges = results.iter().flatten().any(|(_, divergence)| divergence.is_some());
        if !diverges || self.executor.is_apart() {
            return results;
        }
        self.executor.keep_apart();
        self.compare(request, batch)
    }

    /// Executes paths and compares what they show with what was predicted.
    fn compare(&mut self, request: &Request<'_, '_>, batch: &[Explored]) -> Vec<Result<Compared, String>> {
        let may_share = |end: &PathEnd| matches!(end, PathEnd::Returned(_) | PathEnd::Stopped);
        let job = |path| -> Job<'_> {
            let path: &Explored = path;
            Job { input: &path.input, may_share: may_share(&path.end), mutant: None }
        };
        let results = self.executor.run_all(&batch.iter().map(job).collect::<Vec<_>>());
        let compared = results.into_iter().zip(batch).map(|(result, explored)| {
            let observation = without_padding(request, result?);
            let divergence = divergence(explored, &observation);
            Ok((as_predicted(explored, observation, divergence.is_none()), divergence))
        });
        compared.collect()
    }

    /// Executes the inputs of findings.
    fn findings(&mut self, findings: &[Finding], patience: &Patience) -> Vec<ReplayedFinding> {
        if !findings.is_empty() {
            self.executor.limit_time(UNDEFINED_TIME);
        }
        let job = |finding| -> Job<'_> {
            let finding: &Finding = finding;
            Job::alone(&finding.input)
        };
        let mut observations = Vec::new();
        for some in findings.chunks(FINDINGS_AT_ONCE).take_while(|_| !patience.is_over()) {
            observations.extend(self.executor.run_all(&some.iter().map(job).collect::<Vec<_>>()));
        }
        let observations = observations.into_iter().map(Result::ok).chain(std::iter::repeat(None));
        let pairs = findings.iter().cloned().zip(observations);
        let worth = Worth { kind: Kind::Other, confirmed: false, requires: None, cause: 0, is_wanted: true };
        pairs.map(|(finding, observation)| ReplayedFinding { finding, observation, worth: worth.clone() }).collect()
    }
}

/// What was observed, with zeros in the bytes of a result that extended floats do not use: they hold whatever was there.
fn without_padding(request: &Request<'_, '_>, observation: Observation) -> Observation {
    without_padding_of(request.program, request.function, observation)
}

fn without_padding_of(program: &Program, function: FunctionId, mut observation: Observation) -> Observation {
    let CType::Function { returns, .. } = program.ctypes.get(program.functions[function].ty) else {
        unreachable!("the type of a function is a function type")
    };
    for at in extended(program, *returns) {
        let padding = observation.result.iter_mut().skip(at as usize + X87_BYTES).take(16 - X87_BYTES);
        padding.for_each(|byte| *byte = 0);
    }
    observation
}

/// Where extended floats begin in a value of a type.
fn extended(program: &Program, ty: CTypeId) -> Vec<u64> {
    let moved = |ty: CTypeId, by: u64| extended(program, ty).into_iter().map(move |at| at + by);
    match program.ctypes.get(ty) {
        CType::Float { format: Format::EXTENDED, size: 16, .. } => vec![0],
        CType::Array { of, len } => {
            let size = program.ctypes.size_of(*of, program.target.pointer_bytes()).unwrap_or(0);
            (0..len.unwrap_or(0)).flat_map(|index| moved(*of, index * size)).collect()
        }
        CType::Record(record) if !program.ctypes.records[*record].is_union => {
            program.ctypes.records[*record].fields.iter().flat_map(|field| moved(field.ty, field.offset)).collect()
        }
        _ => Vec::new(),
    }
}

/// What was observed, with what happens again and again left out where the prediction leaves it out, if it went so.
fn as_predicted(explored: &Explored, mut observation: Observation, agrees: bool) -> Observation {
    if agrees && explored.end.covers() && !observation.truncated && !explored.repeats.is_empty() {
        observation.path.clone_from(&explored.path);
        observation.repeats.clone_from(&explored.repeats);
    }
    observation
}

/// Whether a path depends on where objects lie, which native execution does not arrange in every way.
fn depends_on_places(explored: &Explored) -> bool {
    explored.addressed || explored.input.objects.iter().any(|object| object.ordered)
}

/// The first difference between prediction and observation. A path that ends in something undefined is only predicted up
/// to there.
fn divergence(explored: &Explored, observation: &Observation) -> Option<String> {
    let goes_as_far = || explored.events().zip(observation.events()).all(|(predicted, observed)| predicted == observed);
    if let PathEnd::Failed(_) = explored.end {
        return (!goes_as_far()).then(|| "the path before the failure differs".to_owned());
    }
    if matches!(explored.end, PathEnd::Unended | PathEnd::Unsupported { .. }) {
        let is_whole = observation.truncated || observation.events().count() >= explored.events().count();
        return (!goes_as_far() || !is_whole).then(|| "the path differs".to_owned());
    }
    if let Err(divergence) = native::agrees(explored.events(), observation) {
        return Some(divergence.to_string());
    }
    let expected = match explored.end {
        PathEnd::Returned(_) => observation.ending == Ending::Returned,
        PathEnd::Stopped => observation.ending == Ending::Stopped,
        PathEnd::Exited(status) => observation.ending == Ending::Exited(status),
        PathEnd::Aborted => matches!(observation.ending, Ending::Signalled(_)),
        _ => true,
    };
    (!expected).then(|| format!("it was to end otherwise than {:?}", observation.ending))
}
