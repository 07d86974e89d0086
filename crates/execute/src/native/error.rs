//! What can go wrong around a test, as opposed to in it.

use std::fmt;
use std::io;
use std::sync::Arc;

/// Why a function cannot be built for native execution.
#[derive(Clone, Debug)]
pub enum BuildError {
    /// The function has no body in the program.
    NotDefined(String),
    /// Something of the program the harness cannot express.
    Unsupported(String),
    /// The compiler refused the instrumented source or its link.
    Compiler {
        /// The command, as one would type it.
        command: String,
        /// What it said.
        message: String,
    },
    /// The compiler took too long.
    Late,
    /// The system refused a file or a process.
    Io {
        /// What was attempted.
        what: String,
        /// What the system said.
        source: Arc<io::Error>,
    },
}

/// Why one input gave no observation.
#[derive(Debug)]
pub enum Error {
    /// The input does not fit the function, or names what the harness cannot reach.
    Unsupported(String),
    /// The test ended the server twice.
    ServerLost,
    /// The child could not be prepared: no memory for an object, or no process.
    Refused,
    /// The system refused a file or a process.
    Io {
        /// What was attempted.
        what: String,
        /// What the system said.
        source: io::Error,
    },
}

impl BuildError {
    pub(super) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> BuildError {
        let what = what.into();
        move |source| BuildError::Io { what, source: Arc::new(source) }
    }
}

impl Error {
    pub(super) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Error {
        let what = what.into();
        move |source| Error::Io { what, source }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::NotDefined(name) => write!(f, "`{name}` has no body to execute"),
            BuildError::Unsupported(what) => write!(f, "cannot be executed natively: {what}"),
            BuildError::Compiler { command, message } => {
                write!(f, "the instrumented source does not compile; `{command}` said:\n{message}")
            }
            BuildError::Late => write!(f, "the compiler took longer than it was given"),
            BuildError::Io { what, source } => write!(f, "cannot {what}: {source}"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Unsupported(what) => write!(f, "cannot be executed natively: {what}"),
            Error::ServerLost => write!(f, "the test ended the process that runs tests, twice"),
            Error::Refused => write!(f, "the system gave no memory or process for the test"),
            Error::Io { what, source } => write!(f, "cannot {what}: {source}"),
        }
    }
}

impl std::error::Error for BuildError {}
impl std::error::Error for Error {}
