//! Exit codes: the one list.

use serde::{Deserialize, Serialize};
use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Status {
    /// 0: done, nothing to complain about.
    Fine,
    /// 1: done, and there are findings: a check that fails, a test that diverged, a violated property.
    Findings,
    /// 2: the command line or a file cannot be used.
    BadInput,
    /// 3: a limit of ours was met: unsupported C, steps, time, memory.
    Limit,
    /// 4: a mistake in clew.
    Internal,
    /// `clew run` passes on how the program ended.
    Program(u8),
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Fine => 0,
            Status::Findings => 1,
            Status::BadInput => 2,
            Status::Limit => 3,
            Status::Internal => 4,
            Status::Program(code) => code,
        })
    }
}
