//! Goals: one line to be reached, one property to be proved, and what came of it.
//!
//! [`collect`] finds the goals of a function. [`run`] first looks whether abstract interpretation settles them
//! ([`clew_analyze::facts`]), then pursues the others together ([`clew_prove`]) and executes every
//! input it is offered: a goal is reached, and a property violated, only when the native execution took the predicted
//! path and returned the predicted value.

pub mod collect;
pub mod questions;
pub mod termination;
pub mod together;
mod watch;

use crate::function::{self, Error, Executor, Request, overlap};
use crate::policy;
use clew_coverage::Assumption;
use clew_execute::native::{self, Job};
use clew_execute::{Ending, Observation};
use clew_ir::{FunctionId, Program, Span};
use clew_prove::{self as goal, Goal, Site, Verdict};
use clew_symbolic::Explored;
use clew_symbolic::config::{Assumptions, Config, Errors, Overlap, Validity};
use clew_symbolic::ending::PathEnd;
use clew_symbolic::value::{Scalar, Val};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Something that is asked for.
#[derive(Clone, Debug)]
pub struct Asked {
    /// A name for it, unique among those asked for together.
    pub id: String,
    /// Where it stands.
    pub span: Span,
    /// What it says, in one line.
    pub text: String,
    /// The goal; or why there is none.
    pub goal: Result<Goal, String>,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Answered {
    /// What was asked.
    pub asked: Asked,
    /// What is known.
    pub verdict: Verdict,
    /// What a proof takes for granted.
    pub assumptions: Vec<Assumption>,
    /// The execution of the input that reaches it.
    pub observation: Option<Observation>,
    /// Time until it was known.
    pub elapsed: Duration,
    /// The part of it that went into reasoning, not into building and executing.
    pub solving: Duration,
}

impl Answered {
    /// Something that could not be looked at.
    pub fn unknown(asked: Asked, reason: String) -> Answered {
        let verdict = Verdict::Unknown([reason].into());
        Answered {
            asked,
            verdict,
            assumptions: Vec::new(),
            observation: None,
            elapsed: Duration::ZERO,
            solving: Duration::ZERO,
        }
    }
}

impl Answered {
    /// Names what a proof takes for granted, or takes the proof back.
    fn assume(&mut self, assumptions: &BTreeSet<Assumption>, config: &Config) {
        let is_check = matches!(&self.asked.goal, Ok(Goal { site: Site::Check(..), .. }));
        let concerns = |assumption: &&Assumption| match assumption {
            Assumption::Validity(_) => is_check && config.validity == Validity::Assumed,
            _ => true,
        };
        if !matches!(self.verdict, Verdict::Infeasible(_)) {
            return;
        }
        self.assumptions = assumptions.iter().filter(concerns).cloned().collect();
        if config.assumptions == Assumptions::Rejected && !self.assumptions.is_empty() {
            let reasons = self.assumptions.drain(..).map(|assumption| format!("proved only if {assumption}"));
            self.verdict = Verdict::Unknown(reasons.collect());
        }
    }
}

impl Answered {
    /// Takes back that a property is violated by results of the C library that were not computed: the real function, which
    /// depends on nothing but its arguments, may give others.
    fn doubt(&mut self, program: &Program) {
        let Verdict::Reached(explored) = &self.verdict else { return };
        let stubs = explored.input.stubs.iter().filter(|call| !call.is_allocation).map(|call| call.function);
        let names: BTreeSet<&str> =
            stubs.filter(|id| is_computed(program, *id)).map(|id| program.functions[id].name.as_str()).collect();
        if names.is_empty() {
            return;
        }
        let reasons = names.iter().map(|name| format!("the result of `{name}` was made up, not computed")).collect();
        (self.verdict, self.observation) = (Verdict::Unknown(reasons), None);
    }
}

/// Whether a function of the C library has one result, which follows from its arguments.
fn is_computed(program: &Program, id: FunctionId) -> bool {
    let row = clew_library::lookup(&program.functions[id].name).filter(|_| program.is_library(id));
    row.is_some_and(|row| !row.effects.has_state && !row.effects.allocates)
}

/// Time spent on a goal.
#[derive(Clone, Copy, Debug)]
struct Spent {
    elapsed: Duration,
    solving: Duration,
}

impl Spent {
    const NOTHING: Spent = Spent { elapsed: Duration::ZERO, solving: Duration::ZERO };
}

/// Pursues what is asked of one function.
///
/// # Errors
/// If the precondition cannot be used or the function cannot be built natively.
pub fn run(request: &Request<'_, '_>, asked: Vec<Asked>) -> Result<Vec<Answered>, Error> {
    let mut answers = answered(request, asked)?;
    let assumptions = function::assumptions(request);
    if assumptions.iter().any(|assumption| matches!(assumption, Assumption::Separation(_))) {
        retry(request, &mut answers)?;
    }
    for answer in &mut answers {
        answer.assume(&assumptions, &request.config);
        answer.doubt(request.program);
    }
    Ok(answers)
}

/// Tries again with inputs that overlap what is infeasible if they lead apart.
fn retry(request: &Request<'_, '_>, answers: &mut [Answered]) -> Result<(), Error> {
    let excluded: Vec<usize> =
        (0..answers.len()).filter(|index| matches!(answers[*index].verdict, Verdict::Infeasible(_))).collect();
    if excluded.is_empty() {
        return Ok(());
    }
    let mut config = Config { overlap: overlap::overlap(request), ..request.config.clone() };
    config.limits.deadline = config.limits.deadline.part(2).or_work(policy::GOAL_RETRY.millis());
    let asked = excluded.iter().map(|index| answers[*index].asked.clone()).collect();
    let again = answered(&Request { config, ..request.clone() }, asked)?;
    for (index, again) in excluded.into_iter().zip(again) {
        if matches!(again.verdict, Verdict::Reached(_)) {
            answers[index] = again;
        }
    }
    Ok(())
}

fn answered(request: &Request<'_, '_>, asked: Vec<Asked>) -> Result<Vec<Answered>, Error> {
    let start = Instant::now();
    let observed = function::observed_globals(request.program, request.function);
    let known = match request.config.overlap {
        Overlap::Compared => facts(request, &asked),
        // They take for granted that inputs lead apart.
        Overlap::Read | Overlap::ReadAsAnyType => vec![None; asked.len()],
    };
    let decided = Spent { elapsed: start.elapsed(), solving: start.elapsed() };
    let open = asked.iter().zip(&known).filter(|(_, known)| known.is_none());
    let goals: Vec<Goal> = open.filter_map(|(asked, _)| asked.goal.as_ref().ok()).cloned().collect();
    if goals.is_empty() {
        return Ok(answers(asked, known, decided, Vec::new(), Vec::new(), decided));
    }
    let mut reached: Vec<Option<(Observation, Spent)>> = vec![None; goals.len()];
    let (verdicts, whole) = std::thread::scope(|scope| {
        let mut building =
            Some(scope.spawn(|| request.natives.executor(request.function, &observed).map_err(Error::Build)));
        let mut built: Option<Result<Box<dyn Executor + '_>, Error>> = None;
        let mut executing = Duration::ZERO;
        let verdicts = goal::pursue(
            request.program,
            request.function,
            &request.precondition,
            &request.config,
            &goals,
            &mut |index, explored| {
                let asked = start.elapsed();
                let solving = asked - executing;
                if let Some(building) = building.take() {
                    built = Some(building.join().expect("building does not panic"));
                }
                let Some(Ok(executor)) = &mut built else { return false };
                let Some(Ok(observation)) = executor.run_all(&[Job::alone(&explored.input)]).pop() else {
                    return false;
                };
                let confirmed = confirms(explored, &observation);
                executing += start.elapsed() - asked;
                reached[index] = confirmed.then(|| (observation, Spent { elapsed: start.elapsed(), solving }));
                confirmed
            },
        );
        // Waiting for a build that was not needed does not count.
        let whole = Spent { elapsed: start.elapsed(), solving: start.elapsed() - executing };
        match built {
            Some(Err(error)) => Err(error),
            _ => verdicts.map_err(Error::Precondition).map(|verdicts| (verdicts, whole)),
        }
    })?;
    Ok(answers(asked, known, decided, verdicts, reached, whole))
}

/// What abstract interpretation says of the goals.
fn facts(request: &Request<'_, '_>, asked: &[Asked]) -> Vec<Option<Verdict>> {
    let requires = request.precondition.clauses.clone();
    let moves_are_assumed = request.config.errors != Errors::Report;
    let options = clew_analyze::facts::Options { requires, moves_are_assumed, ..Default::default() };
    let facts = clew_analyze::facts::facts(request.program, request.function, &options);
    asked
        .iter()
        .map(|asked| goal::known(request.program, request.function, &facts, asked.goal.as_ref().ok()?))
        .collect()
}

fn answers(
    asked: Vec<Asked>,
    decided: Vec<Option<Verdict>>,
    early: Spent,
    verdicts: Vec<Verdict>,
    reached: Vec<Option<(Observation, Spent)>>,
    whole: Spent,
) -> Vec<Answered> {
    let mut known = verdicts.into_iter().zip(reached);
    let answer = |(asked, decided): (Asked, Option<Verdict>)| {
        let (verdict, observation, spent) = match (&asked.goal, decided) {
            (_, Some(verdict)) => (verdict, None, early),
            (Err(reason), None) => (Verdict::Unknown([reason.clone()].into()), None, Spent::NOTHING),
            (Ok(_), None) => {
                let (verdict, reached) = known.next().expect("every goal has a verdict");
                let spent = reached.as_ref().map_or(whole, |(_, spent)| *spent);
                (verdict, reached.map(|(observation, _)| observation), spent)
            }
        };
        let (elapsed, solving) = (spent.elapsed, spent.solving);
        Answered { asked, verdict, assumptions: Vec::new(), observation, elapsed, solving }
    };
    asked.into_iter().zip(decided).map(answer).collect()
}

/// Whether an execution went as predicted, as far as there is a prediction.
fn confirms(explored: &Explored, observation: &Observation) -> bool {
    let prefix = || explored.path.iter().zip(&observation.path).all(|(predicted, observed)| predicted == observed);
    let whole = || native::agrees(explored.events(), observation).is_ok();
    match &explored.end {
        PathEnd::Returned(result) => {
            whole() && observation.ending == Ending::Returned && returned(*result, &observation.result)
        }
        PathEnd::Exited(status) => whole() && observation.ending == Ending::Exited(*status),
        PathEnd::Aborted => whole() && matches!(observation.ending, Ending::Signalled(_)),
        _ => prefix() && observation.path.len() >= explored.path.len(),
    }
}

/// Whether the bytes of a result are those predicted; only known integers and floats are predicted.
fn returned(predicted: Option<Val>, observed: &[u8]) -> bool {
    let Some(Val::Scalar(Scalar::Known(value))) = predicted else { return true };
    let bytes = value.bits.to_le_bytes();
    let length = observed.len().min(usize::from(value.ty.width()).div_ceil(8));
    observed[..length] == bytes[..length]
}
