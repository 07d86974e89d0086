//! Exit codes: the one list.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// 8 and the code that there would be otherwise, 0, 1 or 3: a verdict takes something for granted of the environment, and
    /// `--deny assumptions` asks for that.
    Assuming(u8),
    /// `clew run` passes on how the program ended.
    Program(u8),
}

impl Status {
    /// The same, saying too whether a verdict takes something for granted.
    pub(crate) fn assuming(self, is_assuming: bool) -> Status {
        match self {
            Status::Fine if is_assuming => Status::Assuming(0),
            Status::Findings if is_assuming => Status::Assuming(1),
            Status::Limit if is_assuming => Status::Assuming(3),
            status => status,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Fine => 0,
            Status::Findings => 1,
            Status::BadInput => 2,
            Status::Limit => 3,
            Status::Internal => 4,
            Status::Assuming(otherwise) => 8 | otherwise,
            Status::Program(code) => code,
        })
    }
}
