//! SMT-LIB scripts: read and run.
//!
//! The language is SMT-LIB 2.6 for QF_BV, QF_FP, QF_BVFP, QF_ABV and QF_ABVFP, bit-vectors up to 128 bits, float
//! formats up to binary128. A script is run command by command; the first mistake ends it with one error that names
//! line and column. Reading never recurses with the depth of the text, and nothing a text can say makes it panic.
//!
//! Where the standard leaves a result open (`fp.min` of zeros of different sign, conversions that do not fit) any
//! function is allowed: see `floating`. Not understood: quantifiers, uninterpreted functions and sorts, datatypes,
//! strings, arithmetic on reals or integers other than in literals.

mod array;
mod bitvector;
mod core;
mod expression;
mod floating;
mod print;
mod real;
mod script;
mod sexpr;
mod sort;

use std::time::Duration;

use crate::solver::{Budget, Config, Solver, Statistics};

/// A mistake in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Line, from one.
    pub line: usize,
    /// Column in characters, from one.
    pub column: usize,
    /// What is wrong, a lower-case fragment.
    pub message: String,
}

impl std::fmt::Display for Error {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for Error {}

/// How to run a script.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The solver's configuration.
    pub config: Config,
    /// The limits of each `check-sat`.
    pub budget: Budget,
}

/// Runs a script; each response goes to `print` as soon as it is known, without a line end. Gives how often each layer
/// of the solver answered.
///
/// # Errors
/// The first command that is not understood; the responses before it have been printed.
pub fn run(text: &str, options: &Options, print: &mut dyn FnMut(&str)) -> Result<Statistics, Error> {
    let mut script = script::Script::new(text, options);
    while let Some(command) = script.next_command()? {
        let response = script.execute(command)?;
        if let Some(response) = &response.text {
            print(response);
        }
        if response.exit {
            break;
        }
    }
    Ok(script.solver.statistics())
}

/// Runs a script; gives the response to each query and the time that answering it took by the given clock, reading not
/// counted.
///
/// # Errors
/// The first command that is not understood.
pub fn measure(text: &str, options: &Options, clock: impl Fn() -> Duration) -> Result<Vec<(String, Duration)>, Error> {
    let mut script = script::Script::new(text, options);
    let mut answers = Vec::new();
    while let Some(command) = script.next_command()? {
        let is_query = script.is_query(command);
        let start = clock();
        let response = script.execute(command)?;
        if is_query {
            answers.push((response.text.unwrap_or_default(), clock() - start));
        }
        if response.exit {
            break;
        }
    }
    Ok(answers)
}

/// Reads a script without asking anything: the solver it leaves, with the assertions that hold at its end.
///
/// # Errors
/// The first command that is not understood.
pub fn load(text: &str, options: &Options) -> Result<Solver, Error> {
    let mut script = script::Script::new(text, options);
    while let Some(command) = script.next_command()? {
        if !script.is_query(command) && script.execute(command)?.exit {
            break;
        }
    }
    Ok(script.solver)
}
