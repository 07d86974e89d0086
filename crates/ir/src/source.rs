//! Where things stand in the source.
//!
//! A [`Unit`] is one translation unit as the C compiler reads it after preprocessing. A [`Span`] is a byte range of that
//! text, which is what native instrumentation needs; the unit's line table leads back to the file and line the user
//! wrote ([`Sources::locate`]).

pub mod brackets;
pub mod wrap;
pub mod written;

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use crate::arena::{Arena, Id};
use crate::lazy::Lazy;

/// Index of a [`Unit`].
pub type UnitId = Id<Unit>;

/// A byte range in the preprocessed text of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
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
    /// Byte offsets after the newlines of the text, in ascending order.
    pub lines: Lazy<Vec<u32>>,
    /// The lines of each of [`Unit::files`], if it can be read.
    pub originals: Lazy<Vec<Lazy<Option<Vec<String>>>>>,
    /// Spans as they are written, once someone has asked for them ([`Sources::written`]).
    pub written: Lazy<Mutex<BTreeMap<(u32, u32), String>>>,
    /// What the files themselves say of macros, whether or not it is in force; whoever asks reads them.
    pub macros: Lazy<Macros>,
}

/// Macros that files define, and that they end, by their names.
#[derive(Debug, Default)]
pub struct Macros {
    /// Names after `#define`.
    pub defined: BTreeSet<String>,
    /// Names after `#undef`.
    pub ended: BTreeSet<String>,
}

impl Unit {
    /// The user's place of a byte offset.
    pub fn locate(&self, offset: u32) -> Location {
        let offset = offset.min(self.text.len() as u32);
        let index = self.markers.partition_point(|marker| marker.start <= offset);
        let (start, file, line) = match index.checked_sub(1).map(|index| &self.markers[index]) {
            Some(marker) => (marker.start, self.files[marker.file as usize].as_str(), marker.line),
            None => (0, self.path.as_str(), 1),
        };
        let after_newlines = || self.text.bytes().zip(1..).filter(|(byte, _)| *byte == b'\n').map(|(_, after)| after);
        let newlines = self.lines.get(|| after_newlines().collect());
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

    /// A span as the user wrote it, macros by their names, on one line; as preprocessed where that cannot be told.
    pub fn written(&self, span: Span) -> String {
        let text = self.text(span);
        let Some(unit) = self.units.get(span.unit).filter(|_| !text.is_empty()) else { return String::new() };
        let known = unit.written.get(Mutex::default);
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry((span.start, span.end)).or_insert_with(|| written::on_one_line(unit, span, text)).clone()
    }
}
