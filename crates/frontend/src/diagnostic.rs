//! Diagnostics: what the front end has to say about the user's text.
//!
//! A [`Diagnostic`] is data: how grave, where, what, and what to do. It points either into a preprocessed unit (a
//! [`Span`]), at a line of a file that is no unit (a build database, a file the compiler refused), or into a text given
//! on the command line. [`render`] shows it against the line the user wrote, with carets and colours, as one plain line,
//! or as JSON.
//!
//! Nothing here decides what happens next: whoever collects diagnostics asks [`worst`] and chooses.

use clew_ir::{Location, Span};
use std::ops::Range;

pub mod render;
mod snippet;

/// How grave a diagnostic is, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Accepted, with something lost or doubtful.
    Warning,
    /// Right C that we do not handle; only what reaches it is lost.
    Unsupported,
    /// Refused.
    Error,
}

impl Severity {
    /// The word it is printed as.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Unsupported => "unsupported",
            Severity::Error => "error",
        }
    }
}

/// Where a diagnostic points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// At nothing in particular.
    Nowhere,
    /// At a stretch of a preprocessed unit.
    Span(Span),
    /// At a place in a file; column 0 means the whole line, line 0 the whole file.
    File(Location),
    /// Into a text that stands in no file, such as the value of a command-line option.
    Text {
        /// What to call it.
        origin: String,
        /// The whole text.
        text: String,
        /// The bytes concerned.
        range: Range<usize>,
    },
}

/// A further place that explains a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What to see there.
    pub text: String,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How grave it is.
    pub severity: Severity,
    /// Where it points.
    pub place: Place,
    /// What is the matter: a lower-case fragment without full stop.
    pub message: String,
    /// Words shown at the place itself, possibly empty.
    pub here: String,
    /// Further places.
    pub labels: Vec<Label>,
    /// Further remarks.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A diagnostic with nothing but a place and a message.
    pub fn new(severity: Severity, place: impl Into<Place>, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity,
            place: place.into(),
            message: message.into(),
            here: String::new(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// An error.
    pub fn error(place: impl Into<Place>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, place, message)
    }

    /// A warning.
    pub fn warning(place: impl Into<Place>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, place, message)
    }

    /// Something right that we do not handle.
    pub fn unsupported(place: impl Into<Place>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Unsupported, place, message)
    }

    /// A note.
    pub fn note(place: impl Into<Place>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Note, place, message)
    }

    /// The same with words at the place itself.
    #[must_use]
    pub fn with_here(mut self, text: impl Into<String>) -> Diagnostic {
        self.here = text.into();
        self
    }

    /// The same with a further place.
    #[must_use]
    pub fn with_label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// The same with a further remark.
    #[must_use]
    pub fn with_note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// The same with advice.
    #[must_use]
    pub fn with_help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }

    /// A diagnostic of the C parser or type checker; `locate` turns its spans into ours.
    pub fn from_rucc(theirs: &rucc_diag::Diagnostic, locate: &dyn Fn(rucc_diag::Span) -> Span) -> Diagnostic {
        let severity = match theirs.severity {
            rucc_diag::Severity::Note | rucc_diag::Severity::Help => Severity::Note,
            rucc_diag::Severity::Warning => Severity::Warning,
            rucc_diag::Severity::Error | rucc_diag::Severity::Ice => Severity::Error,
        };
        let mut ours = Diagnostic::new(severity, locate(theirs.span), theirs.message.clone());
        for child in &theirs.children {
            let span = locate(child.span);
            match child.severity {
                rucc_diag::Severity::Help => ours.help = Some(child.message.clone()),
                _ if span.is_none() => ours.notes.push(child.message.clone()),
                _ => ours.labels.push(Label { span, text: child.message.clone() }),
            }
        }
        ours
    }
}

/// [`Span::NONE`] is nowhere.
impl From<Span> for Place {
    fn from(span: Span) -> Place {
        if span.is_none() { Place::Nowhere } else { Place::Span(span) }
    }
}

impl From<Location> for Place {
    fn from(location: Location) -> Place {
        Place::File(location)
    }
}

/// The gravest severity among diagnostics.
pub fn worst(diagnostics: &[Diagnostic]) -> Option<Severity> {
    diagnostics.iter().map(|diagnostic| diagnostic.severity).max()
}
