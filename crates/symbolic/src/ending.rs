//! How a path ends, and what was found on the way.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

use clew_execute::{Event, Input};
use clew_ir::{CheckId, FunctionId, Span};

use crate::value::Val;

/// How a path ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PathEnd {
    /// The function returned.
    Returned(#[serde(skip)] Option<Val>),
    /// The program ended itself with this status.
    Exited(i32),
    /// It called a stub of a function that does not return.
    Stopped,
    /// The program called `abort` or an assertion failed.
    Aborted,
    /// It was still running when the search was over: what it did until then is known.
    Unended,
    /// Exploration stopped at something unsupported; what the input does from there on was observed, not predicted.
    Observed,
    /// Something undefined happens on every input of the path.
    Failed(Failure),
    /// C or a library function that is not supported was reached.
    Unsupported {
        /// What it is.
        what: String,
        /// Where.
        span: Span,
    },
    /// A limit was met.
    Limit(Limit),
    /// What the input may be contradicts what the path needs.
    Contradiction,
    /// Not yet: the path was left open, to be gone on with later.
    PutOff,
}

impl PathEnd {
    /// Whether a path that ends so covers objectives: it was run to an end that C defines, or has none.
    pub fn covers(&self) -> bool {
        let is_end = matches!(self, PathEnd::Returned(_) | PathEnd::Stopped | PathEnd::Exited(_) | PathEnd::Aborted);
        is_end || matches!(self, PathEnd::Unended | PathEnd::Observed)
    }
}

/// A limit of the exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Limit {
    /// Instructions on one path.
    Steps,
    /// Depth of calls.
    Depth,
    /// Effort of the solver on one question.
    Solver,
    /// Work on the function.
    Effort,
    /// Time for the function.
    Time,
    /// Elements a symbolic index may choose among.
    Elements,
    /// Aliases of input pointers that were not tried.
    Alias,
    /// Allocations that fail.
    Allocations,
    /// What functions without a body write.
    Stubs,
    /// Values of static variables of functions.
    Static,
    /// Sequences of so many calls of the function.
    Calls(u32),
    /// What calls of other functions leave in static variables of functions.
    Others,
    /// Values of volatile variables.
    Volatile,
    /// Addresses of objects that were not tried.
    Address,
    /// Branches left open at once.
    Open,
    /// Arguments for which a function without an exact meaning was evaluated.
    Samples,
    /// Values of variables that were never written.
    Unwritten,
    /// Iterations of a loop in a function of the library.
    Library,
    /// Iterations of loops in a precondition written in C.
    Precondition,
}

impl Limit {
    /// What was limited, in words.
    pub fn name(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Limit::Steps => "instructions on one path",
            Limit::Depth => "depth of calls",
            Limit::Solver => "effort of the solver",
            Limit::Effort => "effort",
            Limit::Time => "time",
            Limit::Elements => "values of a symbolic size or index",
            Limit::Alias => "aliases of input pointers",
            Limit::Allocations => "allocations that fail: tried with `--malloc may-fail`",
            Limit::Stubs => "what functions without a body write",
            Limit::Static => "values of a function's static variables: only the initial ones are tried",
            Limit::Calls(most) => {
                return format!("sequences of calls: not all of up to {most} were tried (`--calls`)").into();
            }
            Limit::Others => "what calls of other functions leave in static variables",
            Limit::Volatile => "values of volatile variables: each keeps the one it has",
            Limit::Address => "addresses as numbers",
            Limit::Open => "branches open at once",
            Limit::Samples => "arguments tried of a function known only by its values",
            Limit::Unwritten => "values of variables that were never written",
            Limit::Library => "iterations of loops in library functions",
            Limit::Precondition => "iterations of loops in the precondition",
        })
    }
}

/// Something undefined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The function in which it happens.
    pub function: FunctionId,
    /// The check that fails.
    pub check: CheckId,
    /// What happens, in words.
    pub what: String,
    /// Where.
    pub span: Span,
}

/// A failure with an input that leads to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// What happens.
    pub failure: Failure,
    /// An input that makes it happen.
    pub input: Input,
    /// The branches taken before.
    pub path: Vec<Event>,
}
