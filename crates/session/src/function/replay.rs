//! Native execution of what exploration finds: inputs are run in batches while the search goes on, and what each shows is
//! compared with what was predicted.

use super::observed;
use super::patience::Patience;
use super::queue::{Receiver, Taken};
use super::{Error, Replayed, ReplayedFinding, Request};
use crate::event::{Event, Shared};
use crate::finding::{Kind, Worth};
use crate::policy;
use clew_coverage::ObjectiveId;
use clew_execute::native::{self, Job, Native};
use clew_execute::{Ending, Input, Observation};
use clew_ir::{CType, CTypeId, FunctionId, GlobalId, Program};
use clew_scalar::Format;
use clew_symbolic::Explored;
use clew_symbolic::ending::{Finding, PathEnd};
use std::fmt;
use std::time::{Duration, Instant};

/// How often progress is told while no path comes.
const PULSE: Duration = Duration::from_millis(500);

/// Bytes of an extended float; where it takes more, the rest is padding.
const X87_BYTES: usize = 10;

/// Processor time that a test has which runs into something undefined: it may do anything from there on, and often goes on
/// for ever if it does not end at once.
const UNDEFINED_TIME: Duration = Duration::from_millis(100);

/// Processor time that a test has which is not known to end.
const UNENDED_TIME: Duration = Duration::from_millis(250);

const SLOW: Duration = Duration::from_millis(20);

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

    /// Whether an input was run of which the executor could make only something like it. Where it goes another way than
    /// predicted, that is no divergence: it is a test of what was observed.
    fn is_inexact(&self, _input: &Input) -> bool {
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

/// The executing side of a session.
pub(super) struct Replay<'a> {
    pub(super) executor: Box<dyn Executor + 'a>,
    /// Time spent building and executing.
    pub(super) busy: Duration,
    /// Time spent building.
    pub(super) building: Duration,
}

/// What an execution showed, and where that differs from the prediction.
type Compared = (Observation, Option<String>);

/// What came of replaying paths.
pub(super) struct Replays<'a> {
    pub(super) replay: Replay<'a>,
    pub(super) tests: Vec<Replayed>,
    /// Why inputs could not be executed.
    pub(super) failed: Vec<String>,
    /// Objectives of paths that were to go on and did not.
    pub(super) unconfirmed: Vec<ObjectiveId>,
}

impl<'a> Replay<'a> {
    pub(super) fn new(request: &Request<'a, '_>, observed: &[GlobalId]) -> Result<Replay<'a>, Error> {
        let start = Instant::now();
        let executor = request.natives.executor(request.function, observed).map_err(Error::Build)?;
        let building = start.elapsed();
        Ok(Replay { executor, busy: building, building })
    }

    /// Replays paths until there are no more.
    pub(super) fn all(
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
                    Ok((observation, Some(_))) if self.executor.is_inexact(&explored.input) => {
                        unconfirmed.extend(explored.newly_covered.iter().copied());
                        tests.extend(observed::test(request, observed::forgotten(explored), observation, None, &tests));
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
        for some in paths.chunks(policy::UNENDED_AT_ONCE.size()).take_while(|_| !patience.is_over()) {
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
                None => policy::FIRST_AT_ONCE.size(),
                Some(average) if average > SLOW => policy::SLOW_AT_ONCE.size(),
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
    pub(super) fn findings(&mut self, findings: &[Finding], patience: &Patience) -> Vec<ReplayedFinding> {
        if !findings.is_empty() {
            self.executor.limit_time(UNDEFINED_TIME);
        }
        let job = |finding| -> Job<'_> {
            let finding: &Finding = finding;
            Job::alone(&finding.input)
        };
        let mut observations = Vec::new();
        for some in findings.chunks(policy::FINDINGS_AT_ONCE.size()).take_while(|_| !patience.is_over()) {
            observations.extend(self.executor.run_all(&some.iter().map(job).collect::<Vec<_>>()));
        }
        let observations = observations.into_iter().map(Result::ok).chain(std::iter::repeat(None));
        let pairs = findings.iter().cloned().zip(observations);
        let worth = Worth { kind: Kind::Other, confirmed: false, requires: None, cause: 0, is_wanted: true };
        pairs.map(|(finding, observation)| ReplayedFinding { finding, observation, worth: worth.clone() }).collect()
    }
}

/// What was observed, with zeros in the bytes of a result that extended floats do not use: they hold whatever was there.
pub(super) fn without_padding(request: &Request<'_, '_>, observation: Observation) -> Observation {
    without_padding_of(request.program, request.function, observation)
}

pub(super) fn without_padding_of(program: &Program, function: FunctionId, mut observation: Observation) -> Observation {
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
pub(super) fn divergence(explored: &Explored, observation: &Observation) -> Option<String> {
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
