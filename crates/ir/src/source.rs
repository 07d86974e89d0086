//! Where things stand in the source.
//!
//! A [`Unit`] is one translation unit as the C compiler reads it after preprocessing. A [`Span`] is a byte range of that
//! text, which is what native instrumentation needs; the unit's line table leads back to the file and line the user
//! wrote ([`Sources::locate`]).

pub mod brackets;

use std::sync::OnceLock;

use crate::arena::{Arena, Id};

/// Index of a [`Unit`].
pub type UnitId = Id<Unit>;

/// A byte range in the preprocessed text of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The translation unit.
    pub unit: UnitId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of things that stand nowhere: compiler-made code and hand-written IR.
    pub const NONE: Span = Span { unit: Id::new(u32::MAX), start: 0, end: 0 };

    /// Whether this is [`Span::NONE`].
    pub fn is_none(self) -> bool {
        self == Span::NONE
    }
}

/// A place the user can look up.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// Path as the preprocessor printed it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1, in the preprocessed line.
    pub column: u32,
}

/// The stretch of preprocessed text that a line marker governs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// Byte offset of the first line after the marker.
    pub start: u32,
    /// Index into [`Unit::files`].
    pub file: u32,
    /// Line number of that first line.
    pub line: u32,
}

/// One preprocessed translation unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// Path of the main source file.
    pub path: String,
    /// Preprocessed text.
    pub text: String,
    /// Names of all files the markers mention.
    pub files: Vec<String>,
    /// Line markers in ascending order of `start`.
    pub markers: Vec<Marker>,
    /// Where lines begin, found when first asked for.
    pub lines: Lines,
}

/// Byte offsets after the newlines of a text, in ascending order. They follow from the text, so they distinguish nothing.
#[derive(Clone, Debug, Default)]
pub struct Lines(OnceLock<Vec<u32>>);

impl Lines {
    fn starts(&self, text: &str) -> &[u32] {
        let after_newlines = || text.bytes().zip(1..).filter(|(byte, _)| *byte == b'\n').map(|(_, after)| after);
        self.0.get_or_init(|| after_newlines().collect())
    }
}

impl PartialEq for Lines {
    fn eq(&self, _: &Lines) -> bool {
        true
    }
}

impl Eq for Lines {}

impl Unit {
    /// The user's place of a byte offset.
    pub fn locate(&self, offset: u32) -> Location {
        let offset = offset.min(self.text.len() as u32);
        let index = self.markers.partition_point(|marker| marker.start <= offset);
        let (start, file, line) = match index.checked_sub(1).map(|index| &self.markers[index]) {
            Some(marker) => (marker.start, self.files[marker.file as usize].as_str(), marker.line),
            None => (0, self.path.as_str(), 1),
        };
        let newlines = self.lines.starts(&self.text);
        let before = |offset: u32| newlines.partition_point(|after| *after <= offset);
        let line_start = newlines[..before(offset)].last().map_or(start, |after| start.max(*after));
        let line = line + (before(offset) - before(start)) as u32;
        Location { file: file.to_owned(), line, column: offset - line_start + 1 }
    }
}

/// All units of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// The units.
    pub units: Arena<Unit>,
}

impl Sources {
    /// The user's place of a span's start, if it stands anywhere.
    pub fn locate(&self, span: Span) -> Option<Location> {
        self.units.get(span.unit).map(|unit| unit.locate(span.start))
    }

    /// The preprocessed text of a span, empty if it stands nowhere.
    pub fn text(&self, span: Span) -> &str {
        self.units.get(span.unit).and_then(|unit| unit.text.get(span.start as usize..span.end as usize)).unwrap_or("")
    }
}
