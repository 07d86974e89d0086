//! What one execution showed.

use clew_ir::{ConditionId, DecisionId, FunctionId};
use serde::{Deserialize, Serialize};

/// A branch taken: one step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Event {
    /// A condition had this outcome.
    Condition {
        /// Where the condition stands.
        function: FunctionId,
        /// Which one.
        condition: ConditionId,
        /// Its truth.
        outcome: bool,
    },
    /// A `switch` went to this arm: an index into its cases, or their number for the default.
    Switch {
        /// Where the switch stands.
        function: FunctionId,
        /// Which one.
        decision: DecisionId,
        /// Where it went.
        arm: u32,
    },
}

/// Branches that a path takes again and again, and shows once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repeat {
    /// Where in the path that is.
    pub at: usize,
    /// How many branches before that place are repeated.
    pub events: usize,
    /// How many times they follow there once more.
    pub times: u64,
}

/// All branches of a path, also those that it does not show.
pub fn expanded<'a>(path: &'a [Event], repeats: &'a [Repeat]) -> impl Iterator<Item = Event> + 'a {
    let mut from = 0;
    let mut parts: Vec<(&[Event], u64)> = Vec::new();
    for repeat in repeats {
        parts.push((&path[from..repeat.at], 1));
        parts.push((&path[repeat.at - repeat.events..repeat.at], repeat.times));
        from = repeat.at;
    }
    parts.push((&path[from..], 1));
    parts.into_iter().flat_map(|(part, times)| (0..times).flat_map(move |_| part.iter().copied()))
}

/// How an execution ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The function returned.
    Returned,
    /// It called a stub of a function that does not return.
    Stopped,
    /// The process ended itself with this status.
    Exited(i32),
    /// A signal ended the process.
    Signalled(i32),
    /// It ran longer than allowed.
    TimedOut,
    /// A sanitizer reported an error; its first line.
    Sanitizer(String),
}

/// A call of a stub.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The stub.
    pub function: FunctionId,
    /// The scalars among its arguments: the position of the parameter, and the bytes.
    pub arguments: Vec<(usize, Vec<u8>)>,
}

/// What one execution of an [`crate::Input`] showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// Branches taken, in order, callees included.
    pub path: Vec<Event>,
    /// What happened again and again, and is left out of the path.
    pub repeats: Vec<Repeat>,
    /// Whether the path was too long to be recorded whole.
    pub truncated: bool,
    /// How it ended.
    pub ending: Ending,
    /// Bytes of the result; empty for `void` and where the function did not return.
    pub result: Vec<u8>,
    /// Bytes of each [`crate::Input::objects`] afterwards; empty where the function did not return.
    pub objects: Vec<Vec<u8>>,
    /// Bytes of each observed global afterwards, in the order the executor was asked for.
    pub globals: Vec<Vec<u8>>,
    /// Where each of [`crate::Input::objects`] was; empty where the function did not return.
    pub object_addresses: Vec<u64>,
    /// Where each observed global was.
    pub global_addresses: Vec<u64>,
    /// What stubs were called with, in order, up to a limit; only a native execution tells.
    pub calls: Vec<Call>,
    /// What it wrote to standard output and error, up to a limit.
    pub output: Vec<u8>,
}

impl Observation {
    /// All branches taken, also those that the path does not show.
    pub fn events(&self) -> impl Iterator<Item = Event> {
        expanded(&self.path, &self.repeats)
    }
}
