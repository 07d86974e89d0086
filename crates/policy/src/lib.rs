//! Heuristic constants as a table: named rows with a default, a range, a meaning and the evidence for the default.
//!
//! Each engine has one file `policy.rs` with one [`table!`]. A row is a static; reading it is a relaxed load of an integer,
//! cheap enough for inner loops. [`tune`] changes rows by name (`--tune solver.max_gates_small=2400`, `CLEW_TUNE`): for
//! experiments, once, before any work is done, for the whole process. Results are reproducible for equal rows.
//!
//! The idea is that of CaDiCaL's option table (Biere): one line for each option, from which help, range checks and
//! experiments follow. What does *not* belong here: constants that correctness depends on, encodings, and tolerances of
//! numerical methods. Every value inside the range of a row must give right answers.
//!
//! ```
//! clew_policy::table! {
//!     /// Heuristics of cooking.
//!     pub static POLICY = "kitchen" {
//!         BOILING_MINUTES = 7, 1 => 15, "Minutes an egg is boiled.", "tasted";
//!     }
//! }
//! assert_eq!(BOILING_MINUTES.get(), 7);
//! clew_policy::tune(&[&POLICY], "kitchen.boiling_minutes=9").unwrap();
//! assert_eq!(BOILING_MINUTES.get(), 9);
//! ```

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The variable of the environment that holds settings, as [`tune`] reads them.
pub const VARIABLE: &str = "CLEW_TUNE";

/// One heuristic constant.
#[derive(Debug)]
pub struct Row {
    name: &'static str,
    default: u64,
    least: u64,
    most: u64,
    meaning: &'static str,
    evidence: &'static str,
    value: AtomicU64,
}

impl Row {
    /// A row with its default value. Use [`table!`].
    ///
    /// # Panics
    /// When the default lies outside the range; in a static, that is an error of compilation.
    pub const fn new(
        name: &'static str,
        default: u64,
        (least, most): (u64, u64),
        meaning: &'static str,
        evidence: &'static str,
    ) -> Row {
        assert!(least <= default && default <= most, "the default of a row lies in its range");
        Row { name, default, least, most, meaning, evidence, value: AtomicU64::new(default) }
    }

    /// The present value.
    #[inline]
    #[must_use]
    pub fn get(&self) -> u64 {
        self.value.load(Ordering::Relaxed)
    }

    /// The present value as a number of things in memory.
    #[inline]
    #[must_use]
    pub fn size(&self) -> usize {
        usize::try_from(self.get()).unwrap_or(usize::MAX)
    }

    /// The present value in 32 bits.
    #[inline]
    #[must_use]
    pub fn small(&self) -> u32 {
        u32::try_from(self.get()).unwrap_or(u32::MAX)
    }

    /// The present value in 128 bits.
    #[inline]
    #[must_use]
    pub fn wide(&self) -> u128 {
        u128::from(self.get())
    }

    /// The present value as a duration in milliseconds.
    #[inline]
    #[must_use]
    pub fn millis(&self) -> Duration {
        Duration::from_millis(self.get())
    }

    /// Whether the row, one that is 0 or 1, is 1.
    #[inline]
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.get() != 0
    }

    /// The name, in lower case.
    #[must_use]
    pub fn name(&self) -> String {
        self.name.to_ascii_lowercase()
    }

    /// The value without tuning.
    #[must_use]
    pub fn default(&self) -> u64 {
        self.default
    }

    /// The least and the greatest value. The least one switches off what the row limits, as far as that can be done.
    #[must_use]
    pub fn range(&self) -> (u64, u64) {
        (self.least, self.most)
    }

    /// What the row decides, in one line.
    #[must_use]
    pub fn meaning(&self) -> &'static str {
        self.meaning
    }

    /// The experiment that chose the default.
    #[must_use]
    pub fn evidence(&self) -> &'static str {
        self.evidence
    }
}

/// The rows of one engine.
#[derive(Debug)]
pub struct Table {
    engine: &'static str,
    rows: &'static [&'static Row],
}

impl Table {
    /// A table. Use [`table!`].
    #[must_use]
    pub const fn new(engine: &'static str, rows: &'static [&'static Row]) -> Table {
        Table { engine, rows }
    }

    /// The engine whose heuristics these are.
    #[must_use]
    pub fn engine(&self) -> &'static str {
        self.engine
    }

    /// The rows, in the order of the file.
    #[must_use]
    pub fn rows(&self) -> &'static [&'static Row] {
        self.rows
    }

    /// The row of a qualified name, `engine.row`.
    fn find(&self, name: &str) -> Option<&'static Row> {
        let (engine, row) = name.split_once('.')?;
        let mut rows = self.rows.iter().copied();
        rows.find(|known| engine == self.engine && known.name.eq_ignore_ascii_case(row))
    }
}

/// Why a setting was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TuneError {
    /// It is not `NAME=VALUE` with a number.
    Form(String),
    /// No table has such a row.
    Unknown(String),
    /// The value is outside the range of the row: name, least and greatest value.
    Range(String, u64, u64),
}

impl std::error::Error for TuneError {}

impl fmt::Display for TuneError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TuneError::Form(text) => write!(out, "`{text}` is no setting: expected NAME=NUMBER"),
            TuneError::Unknown(name) => write!(out, "there is no row `{name}`; `clew policy` lists them"),
            TuneError::Range(name, least, most) => write!(out, "`{name}` takes numbers from {least} to {most}"),
        }
    }
}

/// Sets rows by settings `engine.row=value`, separated by commas or spaces.
///
/// # Errors
/// When a setting is malformed, names no row, or has a value out of range; the settings before it have been made.
pub fn tune(tables: &[&Table], settings: &str) -> Result<(), TuneError> {
    for setting in settings.split([',', ' ']).filter(|setting| !setting.is_empty()) {
        let parts = setting.split_once('=').and_then(|(name, value)| Some((name, value.parse::<u64>().ok()?)));
        let (name, value) = parts.ok_or_else(|| TuneError::Form(setting.to_string()))?;
        let row = tables.iter().find_map(|table| table.find(name));
        let row = row.ok_or_else(|| TuneError::Unknown(name.to_string()))?;
        if !(row.least..=row.most).contains(&value) {
            return Err(TuneError::Range(name.to_string(), row.least, row.most));
        }
        row.value.store(value, Ordering::Relaxed);
    }
    Ok(())
}

/// Sets rows by the variable [`VARIABLE`] of the environment, if it is set.
///
/// # Errors
/// As [`tune`].
pub fn tune_from_environment(tables: &[&Table]) -> Result<(), TuneError> {
    std::env::var(VARIABLE).map_or(Ok(()), |settings| tune(tables, &settings))
}

/// The settings that make these tables what they are, as [`tune`] reads them: the rows that are not at their default. Results
/// that are kept are kept with them.
#[must_use]
pub fn settings(tables: &[&Table]) -> String {
    let rows = tables.iter().flat_map(|table| table.rows.iter().map(move |row| (table.engine, row)));
    let changed = rows.filter(|(_, row)| row.get() != row.default);
    let texts: Vec<String> = changed.map(|(engine, row)| format!("{engine}.{}={}", row.name(), row.get())).collect();
    texts.join(",")
}

/// A table of rows, each a static of its own: `NAME = default, least => most, "meaning", "evidence";`.
#[macro_export]
macro_rules! table {
    ($(#[$doc:meta])* $visibility:vis static $table:ident = $engine:literal {
        $($row:ident = $default:expr, $least:expr => $most:expr, $meaning:expr, $evidence:expr;)*
    }) => {
        $(#[doc = $meaning] pub(crate) static $row: $crate::Row =
            $crate::Row::new(stringify!($row), $default, ($least, $most), $meaning, $evidence);)*
        $(#[$doc])* $visibility static $table: $crate::Table = $crate::Table::new($engine, &[$(&$row),*]);
    };
}

#[cfg(test)]
mod tests {
    use super::{TuneError, settings, tune};

    crate::table! {
        /// Rows of this test.
        static POLICY = "test" {
            LIMIT = 10, 1 => 100, "A limit.", "none";
            OTHER = 1, 0 => 1, "A switch.", "none";
        }
    }

    #[test]
    fn rows_are_tuned_by_name_within_their_range() {
        assert_eq!(settings(&[&POLICY]), "");
        assert_eq!(tune(&[&POLICY], "test.limit=20, test.other=0"), Ok(()));
        assert_eq!((LIMIT.get(), LIMIT.default(), OTHER.is_on()), (20, 10, false));
        assert_eq!(settings(&[&POLICY]), "test.limit=20,test.other=0");
        assert_eq!(tune(&[&POLICY], "test.limit=0"), Err(TuneError::Range("test.limit".into(), 1, 100)));
        assert_eq!(tune(&[&POLICY], "limit=5"), Err(TuneError::Unknown("limit".into())));
        assert_eq!(tune(&[&POLICY], "test.limit"), Err(TuneError::Form("test.limit".into())));
        assert_eq!(LIMIT.get(), 20);
        let name = POLICY.rows().iter().map(|row| row.name()).collect::<Vec<_>>();
        assert_eq!(name, ["limit", "other"]);
    }
}
