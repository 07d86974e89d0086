//! What the world can do to the front end: files that are not there, compilers that refuse.
//!
//! C we cannot read is no error but a [`Diagnostic`] in the result; an [`Error`] means there is no result. Its text is a
//! lower-case fragment; [`Error::diagnostics`] gives the same with places, for the screen.

use crate::diagnostic::{Diagnostic, Place};
use crate::preprocess::message;
use clew_ir::Location;
use std::fmt;
use std::path::PathBuf;

/// Why nothing was loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// No file was named.
    NoFiles,
    /// The path does not exist.
    NotFound(PathBuf),
    /// The path is a directory, a device or the like.
    NotAFile(PathBuf),
    /// The file cannot be read, for the reason given.
    Unreadable(PathBuf, String),
    /// The file has more bytes than we accept.
    TooLarge {
        /// The file.
        path: PathBuf,
        /// What is too large: the file itself, or what it expands to.
        expanded: bool,
        /// The limit in bytes.
        limit: u64,
    },
    /// The file holds bytes no C source can hold outside literals and comments.
    NotText(Location),
    /// The compiler named by the user cannot be started.
    NoCompiler {
        /// Its name.
        compiler: String,
        /// Why not.
        reason: String,
    },
    /// The compiler refused the file.
    Refused {
        /// The file.
        path: PathBuf,
        /// The command that was run.
        command: String,
        /// What it said.
        output: String,
    },
    /// The target has a data model we do not know.
    UnknownTarget {
        /// The compiler.
        compiler: String,
        /// What is strange about it.
        reason: String,
    },
    /// The build database cannot be used.
    Database {
        /// Where the trouble is; line 0 if it is the whole file.
        location: Location,
        /// What it is.
        reason: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoFiles => write!(f, "no source file given"),
            Error::NotFound(path) => write!(f, "no such file: {}", path.display()),
            Error::NotAFile(path) if path.is_dir() => {
                write!(f, "{} is a directory; name a C source file", path.display())
            }
            Error::NotAFile(path) => write!(f, "{} is not a regular file; name a C source file", path.display()),
            Error::Unreadable(path, reason) => write!(f, "cannot read {}: {reason}", path.display()),
            Error::TooLarge { path, expanded, limit } => {
                let what = if *expanded { "expands to" } else { "has" };
                write!(f, "{} {what} more than {} MiB, the limit for one source file", path.display(), limit >> 20)
            }
            Error::NotText(location) => {
                write!(f, "{} is not C text: line {} holds a stray byte", location.file, location.line)
            }
            Error::NoCompiler { compiler, reason } => {
                write!(f, "cannot run the compiler `{compiler}`: {reason}; name another with --cc")
            }
            Error::Refused { path, output, .. } => {
                let first = output.lines().find(|line| line.contains("error")).or(output.lines().next());
                write!(f, "the compiler refused {}: {}", path.display(), first.unwrap_or("it gave no reason"))
            }
            Error::UnknownTarget { compiler, reason } => {
                write!(f, "the target of `{compiler}` is not supported: {reason}")
            }
            Error::Database { location, reason } => write!(f, "{}: {reason}", location.file),
        }
    }
}

impl std::error::Error for Error {}

impl Error {
    /// The error as diagnostics: the compiler's own messages, each at its line, or the one message there is.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        match self {
            Error::Refused { command, output, .. } => {
                let mut found = message::parse(output);
                match found.last_mut() {
                    Some(last) => last.notes.push(format!("said by `{command}`")),
                    None => found.push(Diagnostic::error(Place::Nowhere, self.to_string()).with_note(command.clone())),
                }
                found
            }
            Error::NotText(location) => vec![
                Diagnostic::error(location.clone(), "a byte that is no C text")
                    .with_help("save the file as UTF-8, or check that it is a C source file"),
            ],
            Error::Database { location, reason } => vec![Diagnostic::error(location.clone(), reason.clone())],
            _ => vec![Diagnostic::error(Place::Nowhere, self.to_string())],
        }
    }
}
