//! Putting contract comments back into preprocessed text.
//!
//! Under `-C` a compiler passes comments through, but as tokens: a comment between a macro's name and its bracket stops
//! the expansion, one in an argument ends up in a string. So the text is the one without comments, and the annotations
//! of the text with comments, which shows which of them are not in skipped regions, are put back at their lines. A line
//! marker before and after each keeps all places right. A label of the user's (`//@ label ID: PREDICATE;`) is put back as
//! a call that marks it.

mod label;

use super::scan::{Class, walk};
use clew_ir::{Location, Unit};
use std::path::Path;

/// An annotation of the text with comments.
struct Annotation<'a> {
    comment: &'a str,
    file: String,
    line: u32,
    /// Characters of code before it on its line, blanks left out.
    before: String,
    /// Characters behind it on its line, blanks left out.
    behind: String,
}

/// Whether a text from outside system headers may hold contracts.
pub(super) fn may_hold(unit: &Unit, system: &[bool]) -> bool {
    let own = unit.markers.iter().zip(system).filter(|(_, system)| !**system).map(|(marker, _)| marker.file);
    let files: std::collections::BTreeSet<u32> = own.collect();
    files.iter().any(|file| opens_one(Path::new(&unit.files[*file as usize])))
}

/// Whether something in a file looks like the beginning of a contract.
pub(super) fn opens_one(file: &Path) -> bool {
    let bytes = std::fs::read(file).unwrap_or_default();
    bytes.windows(3).any(|window| matches!(window, b"/*@" | b"//@"))
}

/// The plain text with the annotations of the commented one, and the lines of those that have no certain place.
pub(super) fn splice(plain: &Unit, commented: &Unit) -> (String, Vec<Location>) {
    let lines = lines(plain);
    let mut text = String::with_capacity(plain.text.len() + 1024);
    let (mut copied, mut from) = (0, 0);
    let mut lost = Vec::new();
    for annotation in annotations(commented) {
        let index = line_of(&lines, from, &annotation);
        from = index;
        let (start, line) = lines.get(index).map_or((plain.text.len(), annotation.line), |it| (it.start, it.number));
        let rest = plain.text[start..].lines().next().unwrap_or_default();
        let column = if line == annotation.line { column(rest, &annotation) } else { Some(0) };
        let Some(column) = column else {
            lost.push(Location { file: annotation.file, line: annotation.line, column: 0 });
            continue;
        };
        let offset = (start + column).max(copied);
        text.push_str(&plain.text[copied..offset]);
        let quoted = annotation.file.replace('\\', "\\\\").replace('"', "\\\"");
        let statement = label::statement(annotation.comment, &text, &plain.text[offset..]);
        let inserted = statement.as_deref().unwrap_or(annotation.comment);
        text.push_str(&format!("\n# {} \"{quoted}\"\n{inserted}\n# {line} \"{quoted}\"\n", annotation.line));
        copied = offset;
    }
    text.push_str(&plain.text[copied..]);
    (text, lost)
}

/// A line of the plain text.
struct Line<'a> {
    start: usize,
    file: &'a str,
    number: u32,
}

fn lines(unit: &Unit) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    for (index, marker) in unit.markers.iter().enumerate() {
        let next = unit.markers.get(index + 1).map_or(unit.text.len(), |next| next.start as usize);
        let (mut start, mut number) = (marker.start as usize, marker.line);
        let file = unit.files[marker.file as usize].as_str();
        while start < next.min(unit.text.len()) {
            let end = unit.text[start..].find('\n').map_or(unit.text.len(), |end| start + end + 1);
            // The last line of the stretch is the next marker itself.
            if end < next || next == unit.text.len() {
                lines.push(Line { start, file, number });
            }
            (start, number) = (end, number + 1);
        }
    }
    lines
}

/// The line an annotation stands on, or the first behind it.
fn line_of(lines: &[Line<'_>], from: usize, annotation: &Annotation<'_>) -> usize {
    let rest = || (from..lines.len()).filter(|index| lines[*index].file == annotation.file);
    let at_or_behind = rest().find(|index| lines[*index].number >= annotation.line);
    at_or_behind.or_else(|| rest().next_back().map(|index| index + 1)).unwrap_or(from)
}

/// Where on the line: behind the code before the annotation, or before the code behind it. Macros may have changed one
/// of the two.
fn column(line: &str, annotation: &Annotation<'_>) -> Option<usize> {
    if annotation.before.is_empty() {
        return Some(0);
    }
    let solid: Vec<(usize, char)> = line.char_indices().filter(|(_, it)| !it.is_whitespace()).collect();
    let matches = |part: &[(usize, char)], text: &str| part.iter().map(|(_, it)| *it).eq(text.chars());
    let count = annotation.before.chars().count();
    if count <= solid.len() && matches(&solid[..count], &annotation.before) {
        return Some(solid.get(count).map_or(line.len(), |(at, _)| *at));
    }
    let from_end = solid.len().checked_sub(annotation.behind.chars().count())?;
    matches(&solid[from_end..], &annotation.behind).then(|| solid.get(from_end).map_or(line.len(), |(at, _)| *at))
}

fn annotations(unit: &Unit) -> Vec<Annotation<'_>> {
    let mut found = Vec::new();
    let mut before = String::new();
    walk(unit.text.as_bytes(), &mut |class, start, end| {
        let piece = &unit.text[start..end];
        if class == Class::Comment && super::scan::is_annotation(piece) {
            let location = unit.locate(start as u32);
            let (file, line) = (location.file, location.line);
            let behind = solid_behind(&unit.text[end..]);
            found.push(Annotation { comment: piece, file, line, before: before.clone(), behind });
        }
        let last = piece.rfind('\n').map_or(0, |at| at + 1);
        if last > 0 || class == Class::Marker {
            before.clear();
        }
        if matches!(class, Class::Code | Class::Literal) {
            before.extend(piece[last..].chars().filter(|character| !character.is_whitespace()));
        }
    });
    found
}

/// The code up to the end of the line, without blanks and comments.
fn solid_behind(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let mut behind = String::new();
    walk(line.as_bytes(), &mut |class, start, end| {
        if class != Class::Comment {
            behind.extend(line[start..end].chars().filter(|character| !character.is_whitespace()));
        }
    });
    behind
}
