//! Questions about all inputs that reach a goal: how many there are, and what values their parts have.
//!
//! Abstract interpretation is asked first whether there are any. Every input that is listed was executed: it went as
//! predicted, or it is not listed and the answer says so.

use super::{confirms, facts};
use crate::function::{self, Error, Request};
use crate::goals::Asked;
use clew_execute::native::Native;
use clew_prove::questions::{self, Domains, Solutions, Subject};
use clew_prove::{Goal, Verdict};

/// Counts the inputs that reach a goal, and lists at most so many of them.
///
/// # Errors
/// If the precondition cannot be used or the function cannot be built natively.
pub fn solutions(request: &Request<'_, '_>, asked: &Asked, goal: &Goal, limit: usize) -> Result<Solutions, Error> {
    if is_excluded(request, asked) {
        return Ok(Solutions::default());
    }
    let observed = function::observed_globals(request.program, request.function);
    std::thread::scope(|scope| {
        let mut building = Some(scope.spawn(|| request.natives.of(request.function, &observed).map_err(Error::Build)));
        let mut built: Option<Result<Native<'_>, Error>> = None;
        let solutions = questions::solutions(subject(request, goal), limit, &mut |explored| {
            if let Some(building) = building.take() {
                built = Some(building.join().expect("building does not panic"));
            }
            let Some(Ok(native)) = &mut built else { return false };
            native.run(&explored.input).is_ok_and(|observation| confirms(explored, &observation))
        });
        match built {
            Some(Err(error)) => Err(error),
            _ => solutions.map_err(Error::Precondition),
        }
    })
}

/// The values of each part of the inputs that reach a goal.
///
/// # Errors
/// If the precondition cannot be used.
pub fn domains(request: &Request<'_, '_>, asked: &Asked, goal: &Goal, exact: bool) -> Result<Domains, Error> {
    if is_excluded(request, asked) {
        return Ok(Domains { is_empty: true, ..Domains::default() });
    }
    questions::domains(subject(request, goal), exact).map_err(Error::Precondition)
}

fn is_excluded(request: &Request<'_, '_>, asked: &Asked) -> bool {
    let known = facts(request, std::slice::from_ref(asked));
    matches!(known.as_slice(), [Some(Verdict::Infeasible(_))])
}

fn subject<'a>(request: &'a Request<'_, '_>, goal: &'a Goal) -> Subject<'a> {
    Subject {
        program: request.program,
        function: request.function,
        precondition: &request.precondition,
        config: &request.config,
        goal,
    }
}
