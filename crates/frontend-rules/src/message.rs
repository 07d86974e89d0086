//! What is wrong with a specification, and where.

/// A byte range of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// From the start of one span to the end of another.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end }
    }
}

/// How grave a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The specification can be used.
    Warning,
    /// It cannot.
    Error,
}

/// One message: a place and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// How grave it is.
    pub severity: Severity,
    /// Where.
    pub span: Span,
    /// What is the matter: a lower-case fragment without full stop.
    pub text: String,
}

impl Message {
    /// An error.
    pub fn error(span: Span, text: impl Into<String>) -> Message {
        Message { severity: Severity::Error, span, text: text.into() }
    }

    /// A warning.
    pub fn warning(span: Span, text: impl Into<String>) -> Message {
        Message { severity: Severity::Warning, span, text: text.into() }
    }
}
