//! Diagnostics on the screen: as pictures with carets, as plain lines, as JSON.
//!
//! The picture is drawn by `annotate-snippets`, which rust-lang keeps and rustc uses: of the crates in the field
//! (`ariadne`, `codespan-reporting`) it is the one that places many labels on one line without crossing them and whose
//! plain output is the same text without escapes. We give it the one line concerned, so its line arithmetic never sees
//! the preprocessed text.

use super::snippet::{Lines, Snippet};
use super::{Diagnostic, Place, Severity};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer};
use clew_ir::Sources;
use serde::Serialize;

/// How diagnostics are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// The line with carets, in colour.
    Colour,
    /// The line with carets, without escapes.
    Plain,
    /// `file:line:column: severity: message`, one line each.
    Short,
    /// One JSON object per line.
    Json,
}

/// The diagnostics as text, each ending in a newline.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, style: Style) -> String {
    let mut lines = Lines::new(sources);
    let mut out = String::new();
    for diagnostic in diagnostics {
        out += &match style {
            Style::Colour => picture(diagnostic, &mut lines, &Renderer::styled()),
            Style::Plain => picture(diagnostic, &mut lines, &Renderer::plain()),
            Style::Short => short(diagnostic, &mut lines),
            Style::Json => json(diagnostic, &mut lines),
        };
        out.push('\n');
    }
    out
}

fn picture(diagnostic: &Diagnostic, lines: &mut Lines<'_>, renderer: &Renderer) -> String {
    let place = lines.snippet(&diagnostic.place);
    let labels: Vec<(Option<Snippet>, &str)> =
        diagnostic.labels.iter().map(|label| (lines.snippet(&Place::from(label.span)), label.text.as_str())).collect();
    let mut group = Group::with_title(level(diagnostic.severity).primary_title(&diagnostic.message));
    if let Some(place) = &place {
        group = with_place(group, place, &diagnostic.here, AnnotationKind::Primary);
    }
    for (place, text) in &labels {
        group = match place {
            Some(place) => with_place(group, place, text, AnnotationKind::Context),
            None => group.element(Level::NOTE.message(*text)),
        };
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help));
    }
    renderer.render(&[group])
}

/// The group with a line of source, or only its address when the line is not known.
fn with_place<'a>(group: Group<'a>, place: &'a Snippet, text: &'a str, kind: AnnotationKind) -> Group<'a> {
    let location = &place.location;
    if location.line == 0 || place.line.is_empty() {
        let origin = Origin::path(location.file.as_str());
        return group.element(match location.line {
            0 => origin,
            line => origin.line(line as usize),
        });
    }
    let mark = kind.span(place.marked.clone()).label((!text.is_empty()).then_some(text));
    let snippet = annotate_snippets::Snippet::source(place.line.as_str())
        .path(location.file.as_str())
        .line_start(location.line as usize)
        .annotation(mark);
    group.element(snippet)
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Note => Level::NOTE,
        Severity::Warning => Level::WARNING,
        Severity::Unsupported => Level::WARNING.with_name("unsupported"),
        Severity::Error => Level::ERROR,
    }
}

fn short(diagnostic: &Diagnostic, lines: &mut Lines<'_>) -> String {
    let address = match lines.snippet(&diagnostic.place).map(|place| place.location) {
        None => String::new(),
        Some(location) if location.line == 0 => format!("{}: ", location.file),
        Some(location) if location.column == 0 => format!("{}:{}: ", location.file, location.line),
        Some(location) => format!("{}:{}:{}: ", location.file, location.line, location.column),
    };
    format!("{address}{}: {}", diagnostic.severity.name(), diagnostic.message)
}

/// A diagnostic as tools read it.
#[derive(Serialize)]
struct Report<'a> {
    severity: &'static str,
    message: &'a str,
    #[serde(flatten)]
    place: Option<ReportPlace>,
    labels: Vec<ReportLabel<'a>>,
    notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct ReportPlace {
    file: String,
    line: u32,
    column: u32,
    end_column: u32,
}

#[derive(Serialize)]
struct ReportLabel<'a> {
    text: &'a str,
    #[serde(flatten)]
    place: Option<ReportPlace>,
}

fn json(diagnostic: &Diagnostic, lines: &mut Lines<'_>) -> String {
    let mut place = |place: &Place| {
        lines.snippet(place).map(|snippet| ReportPlace {
            end_column: snippet.location.column + snippet.marked.len() as u32,
            file: snippet.location.file,
            line: snippet.location.line,
            column: snippet.location.column,
        })
    };
    let report = Report {
        severity: diagnostic.severity.name(),
        message: &diagnostic.message,
        place: place(&diagnostic.place),
        labels: diagnostic
            .labels
            .iter()
            .map(|label| ReportLabel { text: &label.text, place: place(&Place::from(label.span)) })
            .collect(),
        notes: &diagnostic.notes,
        help: diagnostic.help.as_deref(),
    };
    serde_json::to_string(&report).expect("a report holds only strings and numbers")
}
