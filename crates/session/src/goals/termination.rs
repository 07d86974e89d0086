//! Whether the loops of a function end, and its calls by itself: what came of it, as of other properties.
//!
//! An input for which a loop should not end is executed: it is shown only if the execution went as predicted as far as that
//! goes, and was still running when its time was over.

use super::{Answered, Asked};
use crate::function::{self, Error, Request};
use crate::suite;
use clew_execute::native::Native;
use clew_execute::{Ending, Observation};
use clew_ir::{FunctionId, Loop, LoopKind, Program, Span};
use clew_prove::termination::{Cycle, Ends, cycles, terminates};
use clew_prove::{Proof, Verdict};
use clew_symbolic::Explored;
use std::time::{Duration, Instant};

/// Processor time after which an execution is taken not to end, of an input of which that was shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// What came of it.
#[derive(Debug, Default)]
pub struct Terminated {
    /// Of loops and calls that should end.
    pub answers: Vec<Answered>,
    /// Loops without a way out.
    pub meant: Vec<Asked>,
}

/// Looks whether a function ends: its own loops and calls by itself, and, unless these are looked at anyway, those of the
/// functions that it calls.
///
/// # Errors
/// If the precondition cannot be used or the function cannot be built natively.
pub fn run(request: &Request<'_, '_>, only_own: bool) -> Result<Terminated, Error> {
    let (program, start) = (request.program, Instant::now());
    let mut cycles = cycles(program, request.function);
    cycles.retain(|cycle| !only_own || holder(cycle) == request.function);
    let observed = function::observed_globals(program, request.function);
    let mut native: Option<Native<'_>> = None;
    let mut failed = None;
    let mut executed: Vec<Option<(Observation, Duration)>> = vec![None; cycles.len()];
    let mut executing = Duration::ZERO;
    let ends = terminates(
        program,
        request.function,
        &request.precondition,
        &request.config,
        &cycles,
        &mut |index, explored| {
            let asked = start.elapsed();
            if native.is_none() && failed.is_none() {
                match request.natives.of(request.function, &observed) {
                    Ok(mut built) => {
                        built.limit_time(PATIENCE);
                        native = Some(built);
                    }
                    Err(error) => failed = Some(error),
                }
            }
            let observation = native.as_mut().and_then(|native| endless(native, explored));
            executing += start.elapsed() - asked;
            executed[index] = observation.map(|observation| (observation, start.elapsed()));
            executed[index].is_some()
        },
    );
    if let Some(error) = failed {
        return Err(Error::Build(error));
    }
    let (elapsed, mut done) = (start.elapsed(), Terminated::default());
    let assumptions = function::assumptions(request);
    for ((cycle, ends), executed) in cycles.iter().zip(ends.map_err(Error::Precondition)?).zip(executed) {
        let asked = asked(program, cycle);
        let verdict = match ends {
            Ends::Meant => {
                done.meant.push(asked);
                continue;
            }
            Ends::Ranked(ranking) => Verdict::Infeasible(Proof::Ranked(ranking)),
            Ends::AllPaths => Verdict::Infeasible(Proof::AllPaths),
            Ends::Endless(explored) => Verdict::Reached(explored),
            Ends::Unknown(reasons) => Verdict::Unknown(reasons),
        };
        let (observation, elapsed) = executed.map_or((None, elapsed), |(seen, at)| (Some(seen), at));
        let solving = elapsed.saturating_sub(executing);
        let mut answer = Answered { asked, verdict, assumptions: Vec::new(), observation, elapsed, solving };
        answer.assume(&assumptions, &request.config);
        done.answers.push(answer);
    }
    Ok(done)
}

/// What an input does that should not end, if it does not.
fn endless(native: &mut Native<'_>, explored: &Explored) -> Option<Observation> {
    let observation = native.run(&explored.input).ok()?;
    let mut pairs = explored.path.iter().zip(&observation.path);
    let is_as_predicted = pairs.all(|(predicted, observed)| predicted == observed);
    (observation.ending == Ending::TimedOut && is_as_predicted).then_some(observation)
}

/// The function whose loop it is, or that calls itself.
fn holder(cycle: &Cycle) -> FunctionId {
    match cycle {
        Cycle::Loop(function, _) | Cycle::Jumps(function) => *function,
        Cycle::Calls(functions) => functions[0],
    }
}

fn asked(program: &Program, cycle: &Cycle) -> Asked {
    let of = |function: FunctionId| &program.functions[function];
    let (span, text) = match cycle {
        Cycle::Loop(function, target) => {
            let data = &of(*function).loops[*target];
            (data.span, format!("{} ends", header(program, data)))
        }
        Cycle::Calls(functions) => {
            let names: Vec<String> = functions.iter().map(|id| format!("`{}`", of(*id).name)).collect();
            let said = if names.len() == 1 { "calls itself and ends" } else { "call each other and end" };
            (of(functions[0]).span, format!("{} {said}", names.join(", ")))
        }
        Cycle::Jumps(function) => (of(*function).body, "what jumps repeat ends".to_owned()),
    };
    let goal = Err("no state by itself shows that a loop does not end".to_owned());
    Asked { id: "terminates".to_owned(), span, text, goal }
}

/// The loop statement without its body.
fn header(program: &Program, data: &Loop) -> String {
    if data.kind == LoopKind::DoWhile {
        return "do ... while".to_owned();
    }
    let text = suite::source(program, Span { ..data.span });
    let mut depth = 0;
    let end = text.char_indices().find(|(_, letter)| {
        depth += i32::from(*letter == '(') - i32::from(*letter == ')');
        *letter == ')' && depth == 0
    });
    end.map_or(text.clone(), |(at, _)| text[..=at].to_owned())
}
