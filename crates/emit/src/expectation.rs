//! How a test is expected to end.
//!
//! What was observed is expected again, unless it depends on how the program lies in memory: an access beyond an object
//! was seen to crash where inaccessible memory begins, which a test file does not arrange. Such tests are written down
//! and not run.

use super::Test;
use clew_execute::Ending;
use clew_session::ctext::known_signal;

/// How a test is expected to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expectation {
    /// The function returns.
    Returns,
    /// It calls a function that does not return.
    Stops,
    /// The process exits with this status.
    Exits(i32),
    /// The process is ended by this signal.
    Raises(i32),
    /// It is not run, for this reason.
    Skipped(String),
}

/// Signals that tell of a wrong access.
const ACCESS: [i32; 2] = [7, 11];

/// The signal by which tests end calls that run on: `SIGALRM`.
pub(super) const ALARM: i32 = 14;

/// Signals by which programs end themselves, or are ended by their test: instructions that trap, `abort`, an alarm.
const OWN: [i32; 4] = [4, 5, 6, ALARM];

/// The name of a signal, as C has it.
pub(super) fn signal_name(signal: i32) -> String {
    known_signal(signal).map_or_else(|| signal.to_string(), str::to_owned)
}

/// What to expect of a test that was executed.
pub(super) fn expectation(test: &Test) -> Expectation {
    if test.diverged {
        return Expectation::Skipped("its execution did not go as predicted".to_owned());
    }
    if test.addressed {
        return Expectation::Skipped("depends on where its objects lie".to_owned());
    }
    let is_null = test.undefined.as_ref().is_some_and(|what| what.contains("null"));
    match &test.observation.ending {
        Ending::Returned => match &test.undefined {
            None => Expectation::Returns,
            Some(what) => Expectation::Skipped(format!("what it does is undefined: {what}")),
        },
        Ending::Stopped => Expectation::Stops,
        Ending::Exited(status) => Expectation::Exits(*status),
        Ending::Signalled(signal) if ACCESS.contains(signal) && !is_null => {
            Expectation::Skipped("accesses memory it must not".to_owned())
        }
        Ending::Signalled(signal) => Expectation::Raises(*signal),
        Ending::TimedOut if test.undefined.is_none() && test.input.stubs.is_empty() => Expectation::Raises(ALARM),
        Ending::TimedOut => Expectation::Skipped("does not end within the time limit".to_owned()),
        Ending::Sanitizer(line) => Expectation::Skipped(line.clone()),
    }
}

impl Expectation {
    /// The condition on a status of `wait` that says it ended so; `None` if the function is expected to return.
    pub(super) fn condition(&self) -> Option<String> {
        match self {
            Expectation::Exits(status) => Some(format!("WIFEXITED(status) && WEXITSTATUS(status) == {status}")),
            Expectation::Raises(signal) => {
                let (is_so, number) =
                    if self.caught().is_some() { ("WIFEXITED", "WEXITSTATUS") } else { ("WIFSIGNALED", "WTERMSIG") };
                Some(format!("{is_so}(status) && {number}(status) == {}", signal_name(*signal)))
            }
            Expectation::Returns | Expectation::Stops | Expectation::Skipped(_) => None,
        }
    }

    /// The signal that makes the process of the call exit with its number: a process that a signal ends does not write
    /// down what it covered.
    pub(super) fn caught(&self) -> Option<String> {
        match self {
            Expectation::Raises(signal) if OWN.contains(signal) => Some(signal_name(*signal)),
            _ => None,
        }
    }

    /// A signal that ends the process of the call.
    pub(super) fn uncaught(&self) -> Option<String> {
        match self {
            Expectation::Raises(signal) if !OWN.contains(signal) => Some(signal_name(*signal)),
            _ => None,
        }
    }

    /// Whether nothing but what C defines, or a call of `abort`, leads to it.
    pub(super) fn is_certain(&self) -> bool {
        matches!(self, Expectation::Returns | Expectation::Stops | Expectation::Raises(6))
    }
}
