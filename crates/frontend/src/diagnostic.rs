//! Messages about the source.
//!
//! A [`Diagnostic`] is data; the tool decides how to show it.

use clew_ir::Span;

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; nothing is lost.
    Note,
    /// C that is not supported: the paths that reach it are lost.
    Unsupported,
    /// The source is not valid C.
    Error,
}

/// A message about a place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is the matter: a lower-case fragment without full stop.
    pub message: String,
    /// Where, in the preprocessed text of a unit of the program.
    pub span: Span,
}
