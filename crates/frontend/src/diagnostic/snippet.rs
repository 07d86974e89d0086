//! From a place in preprocessed text to the line the user wrote.
//!
//! The preprocessor keeps line numbers but not columns: it replaces tabs, squeezes blanks and expands macros. A column is
//! carried over by counting what is not blank: if the two lines agree on all such characters before the place (or after
//! it), the place is exact; otherwise macros are found by comparing tokens; otherwise it is looked up by its text;
//! otherwise the whole line is shown.
//!
//! Original lines are read from disk when a diagnostic is shown, at most once per file; a file that cannot be read, or
//! is too short by now, gives the preprocessed line instead.

use super::Place;
use clew_ir::{Location, Sources, Span, Unit, written};
use std::collections::BTreeMap;
use std::ops::Range;

/// One line with a marked stretch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Snippet {
    /// Where the marked stretch begins; line 0 if the place has no line.
    pub(super) location: Location,
    /// The line's text without its end; empty if it is not known.
    pub(super) line: String,
    /// The marked bytes of the line.
    pub(super) marked: Range<usize>,
}

/// The files read so far.
pub(super) struct Lines<'a> {
    sources: &'a Sources,
    files: BTreeMap<String, Option<Vec<String>>>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(sources: &'a Sources) -> Lines<'a> {
        Lines { sources, files: BTreeMap::new() }
    }

    /// What to show for a place; nothing for a place that is nowhere.
    pub(super) fn snippet(&mut self, place: &Place) -> Option<Snippet> {
        match place {
            Place::Nowhere => None,
            Place::Span(span) => self.of_span(*span),
            Place::File(location) => Some(self.of_file(location)),
            Place::Text { origin, text, range } => Some(of_text(origin, text, range)),
        }
    }

    fn of_span(&mut self, span: Span) -> Option<Snippet> {
        let unit = self.sources.units.get(span.unit)?;
        let mut location = unit.locate(span.start);
        let (line, marked) = preprocessed_line(unit, span);
        let original = self.original(&location);
        let mapped = original.map(|original| match carry_over(line, original, &marked) {
            Some(range) => (original.to_owned(), range),
            None => (original.to_owned(), trimmed(original)),
        });
        let (line, marked) = mapped.unwrap_or_else(|| (line.to_owned(), marked));
        location.column = marked.start as u32 + 1;
        Some(Snippet { location, line, marked })
    }

    fn of_file(&mut self, location: &Location) -> Snippet {
        let line = self.original(location).unwrap_or_default().to_owned();
        let marked = match location.column.checked_sub(1) {
            None => trimmed(&line),
            Some(column) => word_at(&line, column as usize),
        };
        Snippet { location: location.clone(), line, marked }
    }

    fn original(&mut self, location: &Location) -> Option<&str> {
        let read = |path: &String| {
            let bytes = std::fs::read(path).ok()?;
            Some(String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect())
        };
        let lines = self.files.entry(location.file.clone()).or_insert_with_key(read).as_ref()?;
        lines.get((location.line as usize).checked_sub(1)?).map(String::as_str)
    }
}

fn of_text(origin: &str, text: &str, range: &Range<usize>) -> Snippet {
    let start = range.start.min(text.len());
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let marked = start - line_start..range.end.clamp(start, line_end) - line_start;
    let line = text[..start].matches('\n').count() as u32 + 1;
    let location = Location { file: origin.to_owned(), line, column: marked.start as u32 + 1 };
    Snippet { location, line: text[line_start..line_end].to_owned(), marked }
}

/// The preprocessed line a span begins on, and the part of it the span covers.
fn preprocessed_line(unit: &Unit, span: Span) -> (&str, Range<usize>) {
    let text = unit.text.as_bytes();
    let start = (span.start as usize).min(text.len());
    let end = (span.end as usize).clamp(start, text.len());
    let line_start = text[..start].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let line_end = text[start..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |at| start + at);
    let line = unit.text.get(line_start..line_end).unwrap_or_default();
    (line, start - line_start..end.min(line_end) - line_start)
}

/// The range of `original` that stands for `range` of `line`.
fn carry_over(line: &str, original: &str, range: &Range<usize>) -> Option<Range<usize>> {
    if line == original {
        return Some(range.clone());
    }
    let exact = by_prefix(line, original, range).or_else(|| by_suffix(line, original, range));
    exact.or_else(|| written::stretch(line, range, original)).or_else(|| {
        let needle = line.get(range.clone()).map(str::trim).filter(|needle| !needle.is_empty())?;
        let at = original.find(needle)?;
        original[at + needle.len()..].find(needle).is_none().then_some(at..at + needle.len())
    })
}

/// Offsets and values of the characters that are not blank.
fn solid(text: &str) -> Vec<(usize, char)> {
    text.char_indices().filter(|(_, character)| !character.is_whitespace()).collect()
}

fn by_prefix(line: &str, original: &str, range: &Range<usize>) -> Option<Range<usize>> {
    let (theirs, ours) = (solid(line), solid(original));
    let first = theirs.partition_point(|(at, _)| *at < range.start);
    let last = theirs.partition_point(|(at, _)| *at < range.end).max(first + 1);
    if last > theirs.len() || last > ours.len() {
        return None;
    }
    let agree = theirs[..last].iter().zip(&ours[..last]).all(|(a, b)| a.1 == b.1);
    agree.then(|| ours[first].0..ours[last - 1].0 + ours[last - 1].1.len_utf8())
}

fn by_suffix(line: &str, original: &str, range: &Range<usize>) -> Option<Range<usize>> {
    let (theirs, ours) = (solid(line), solid(original));
    let from_end = theirs.len() - theirs.partition_point(|(at, _)| *at < range.start);
    let rest = theirs.len() - theirs.partition_point(|(at, _)| *at < range.end);
    if from_end <= rest || from_end > ours.len() {
        return None;
    }
    let agree = theirs.iter().rev().zip(ours.iter().rev()).take(from_end).all(|(a, b)| a.1 == b.1);
    let (first, last) = (ours.len() - from_end, ours.len() - rest - 1);
    agree.then(|| ours[first].0..ours[last].0 + ours[last].1.len_utf8())
}

/// The line without blanks at its ends.
fn trimmed(line: &str) -> Range<usize> {
    let start = line.len() - line.trim_start().len();
    start..line.trim_end().len().max(start)
}

/// The word, the quoted text, or the single character that stands at a byte offset of a line.
fn word_at(line: &str, column: usize) -> Range<usize> {
    let Some(rest) = line.get(column..) else {
        return line.len()..line.len();
    };
    let word = rest.find(|character: char| !character.is_alphanumeric() && character != '_').unwrap_or(rest.len());
    let quoted = rest.strip_prefix('"').and_then(|rest| rest.find('"')).map_or(0, |end| end + 2);
    let one = rest.chars().next().map_or(0, char::len_utf8);
    column..column + word.max(quoted).max(one)
}

#[cfg(test)]
mod tests {
    use super::{carry_over, word_at};

    fn check(line: &str, original: &str, marked: &str, expect: Option<&str>) {
        let at = line.find(marked).unwrap();
        let found = carry_over(line, original, &(at..at + marked.len())).map(|range| &original[range]);
        assert_eq!(found, expect, "{marked:?} of {line:?} in {original:?}");
    }

    #[test]
    fn blanks_do_not_matter() {
        check("int i = 0; int j = x;", "\tint i = 0;   int j = x;", "j = x", Some("j = x"));
        check("  return   a+b;", "\treturn a + b;", "a+b", Some("a + b"));
    }

    #[test]
    fn macros_before_and_after() {
        check("x = ((3)+1) * y;", "x = SUM * y;", "y", Some("y"));
        check("x = y * ((3)+1);", "x = y * SUM;", "y", Some("y"));
        check("a = (1) + q + (1);", "a = M + q + M;", "q", Some("q"));
        check("a = (1) + a + (1);", "a = M + a + M;", "(1)", Some("M"));
        check("a = 1 + 2 + 3;", "a = M + N;", "1 + 2", None);
    }

    #[test]
    fn words_are_marked_whole() {
        assert_eq!(word_at("int foo;", 4), 4..7);
        assert_eq!(word_at("int foo;", 7), 7..8);
        assert_eq!(word_at("#include \"a.h\" x", 9), 9..14);
        assert_eq!(word_at("int", 9), 3..3);
    }
}
