//! What goes to the screen: results to standard output, everything else to standard error.

use crate::cli::Color;
use crate::status::Status;
use clew_frontend::Diagnostic;
use clew_frontend::diagnostic::render::{Style, render};
use clew_ir::Sources;
use std::io::{IsTerminal, Write};

/// The two streams, and whether they take colours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terminal {
    colour: bool,
    /// Whether a person is watching standard error.
    pub(crate) watched: bool,
}

/// A colour of the terminal.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Paint {
    /// Headings.
    Bold,
    /// Good news.
    Green,
    /// Bad news.
    Red,
    /// Doubtful news.
    Yellow,
    /// Side remarks.
    Dim,
}

impl Terminal {
    /// Decides on colours.
    pub(crate) fn new(color: Color) -> Terminal {
        let watched = std::io::stderr().is_terminal();
        let colour = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => watched && std::env::var_os("NO_COLOR").is_none(),
        };
        Terminal { colour, watched }
    }

    /// Whether colours are wanted.
    pub(crate) fn is_coloured(self) -> bool {
        self.colour
    }

    /// Prints to standard output. A reader that went away is not an error.
    pub(crate) fn print(self, text: &str) {
        let _ = std::io::stdout().lock().write_all(text.as_bytes());
    }

    /// Prints a line to standard error.
    pub(crate) fn say(self, text: &str) {
        let _ = writeln!(std::io::stderr().lock(), "{text}");
    }

    /// Replaces the progress line; an empty text removes it. Nothing happens where nobody is watching.
    pub(crate) fn progress(self, text: &str) {
        if self.watched {
            let _ = write!(std::io::stderr().lock(), "\r\x1b[2K{text}");
        }
    }

    /// Prints an error without a place.
    pub(crate) fn error(self, message: &str) {
        self.say(&format!("{}: {message}", self.paint(Paint::Red, "error")));
    }

    /// Prints diagnostics.
    pub(crate) fn diagnostics(self, diagnostics: &[Diagnostic], sources: &Sources) {
        let style = if self.colour { Style::Colour } else { Style::Plain };
        let _ = std::io::stderr().lock().write_all(render(diagnostics, sources, style).as_bytes());
    }

    /// Prints why a request cannot be carried out, and gives the status of that.
    pub(crate) fn refuse(self, diagnostic: &Diagnostic, sources: &Sources) -> Status {
        self.diagnostics(std::slice::from_ref(diagnostic), sources);
        Status::BadInput
    }

    /// The text in a colour, if colours are wanted.
    pub(crate) fn paint(self, paint: Paint, text: &str) -> String {
        if !self.colour {
            return text.to_owned();
        }
        let code = match paint {
            Paint::Bold => 1,
            Paint::Dim => 2,
            Paint::Red => 31,
            Paint::Green => 32,
            Paint::Yellow => 33,
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}
