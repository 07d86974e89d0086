//! Text put around spans of a unit.
//!
//! Text is only inserted, at the two ends of a span, so that spans inside one another work out and every line stays
//! where its marker says.

use super::Unit;

/// Text around a span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrap {
    /// First byte of the span.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// What goes before it.
    pub before: String,
    /// What goes after it.
    pub after: String,
}

/// Puts text around spans, which are ordered by their beginnings, outer ones first. What comes before the text of the
/// unit is given.
///
/// # Errors
/// The position of a wrap that reaches beyond one around its beginning.
pub fn wrapped(unit: &Unit, prologue: &str, wraps: Vec<Wrap>) -> Result<String, usize> {
    let mut writer = Writer { text: &unit.text, at: 0, out: prologue.to_owned(), open: Vec::new() };
    if !unit.text.starts_with('#') {
        writer.out.push_str(&format!("# 1 \"{}\"\n", unit.path));
    }
    for (number, wrap) in wraps.into_iter().enumerate() {
        if !writer.open(wrap) {
            return Err(number);
        }
    }
    writer.close_until(u32::MAX);
    writer.copy_to(unit.text.len());
    Ok(writer.out)
}

struct Writer<'a> {
    text: &'a str,
    at: usize,
    out: String,
    /// End and closing text of the spans around the current place, outermost first.
    open: Vec<(u32, String)>,
}

impl Writer<'_> {
    /// Begins a span inside those still open; `false` if it reaches beyond them.
    fn open(&mut self, Wrap { start, end, before, after }: Wrap) -> bool {
        self.close_until(start);
        if self.open.last().is_some_and(|(outer, _)| *outer < end) {
            return false;
        }
        self.copy_to(start as usize);
        self.out.push_str(&before);
        self.open.push((end, after));
        true
    }

    /// Closes the spans that end at or before `offset`.
    fn close_until(&mut self, offset: u32) {
        while let Some((end, after)) = self.open.pop_if(|(end, _)| *end <= offset) {
            self.copy_to(end as usize);
            self.out.push_str(&after);
        }
    }

    fn copy_to(&mut self, offset: usize) {
        self.out.push_str(&self.text[self.at..offset]);
        self.at = offset;
    }
}
