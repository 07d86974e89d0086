//! What came of one function of a project, as one line of JSON.

use crate::finding::Kind;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// What came of one function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The source file it was tested in.
    pub file: String,
    /// Its name; empty where the file as a whole could not be read.
    pub function: String,
    /// Hash of all that the result depends on.
    pub key: String,
    /// Line of its definition.
    pub line: u32,
    /// C statements of its body.
    pub statements: u64,
    /// Tests that were executed.
    pub tests: usize,
    /// Those of them that ran as predicted to an end that C defines.
    #[serde(default)]
    pub usable: usize,
    /// Tests that took another path than predicted.
    pub diverged: usize,
    /// What is wrong with its test code as it was written, if anything.
    #[serde(default)]
    pub red: Option<String>,
    /// Why exploration stopped, or `error`.
    pub stop: String,
    /// Why it was not tested, or not to the end.
    pub reason: Option<String>,
    /// Seconds it took.
    pub seconds: f64,
    /// Seconds of processor time, those of compilers and tests included.
    #[serde(default)]
    pub cpu_seconds: f64,
    /// Failing checks.
    pub findings: Vec<Finding>,
    /// The summary of the function, as `--summary json` prints it.
    pub summary: Json,
    /// The directory of its suite, from that of the journal; empty in journals of earlier versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub directory: String,
    /// How test code in that directory names the source file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// What tells it from another function of the same name and file with other content, in joined results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
}

/// Some JSON, kept as text, or in a journal: a project has many records, and their values would take several times as much
/// memory.
#[derive(Clone, Debug)]
pub struct Json(Kept);

#[derive(Clone, Debug)]
enum Kept {
    Text(Box<str>),
    /// The summary of a record that is a line of a file.
    Line {
        file: Arc<File>,
        at: u64,
        length: usize,
    },
}

impl Json {
    /// The summary of the record that is a line of a file, from a place on.
    pub(super) fn in_line(file: &Arc<File>, at: u64, length: usize) -> Json {
        Json(Kept::Line { file: Arc::clone(file), at, length })
    }

    /// The value; null if the file cannot be read any more.
    pub fn value(&self) -> serde_json::Value {
        match &self.0 {
            Kept::Text(text) => serde_json::from_str(text).expect("it was made of a value"),
            Kept::Line { file, at, length } => {
                let mut line = vec![0; *length];
                let read = file.read_exact_at(&mut line, *at).ok();
                let summary = read.and_then(|()| serde_json::from_slice::<Summarised>(&line).ok());
                summary.map_or(serde_json::Value::Null, |line| line.summary)
            }
        }
    }
}

/// The part of a record that is read from its line.
#[derive(Deserialize)]
struct Summarised {
    summary: serde_json::Value,
}

impl PartialEq for Json {
    fn eq(&self, other: &Json) -> bool {
        self.value() == other.value()
    }
}

impl Default for Json {
    fn default() -> Json {
        Json::from(serde_json::Value::Null)
    }
}

impl From<serde_json::Value> for Json {
    fn from(value: serde_json::Value) -> Json {
        Json(Kept::Text(value.to_string().into()))
    }
}

impl Serialize for Json {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
        serde_json::Value::deserialize(deserializer).map(Json::from)
    }
}

/// A failing check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What happens.
    pub what: String,
    /// The file in which it happens.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// The expression.
    pub text: String,
    /// An input of the tested function that makes it happen.
    pub input: String,
    /// How the native execution of that input ended.
    pub native: Option<String>,
    /// How grave it is.
    pub kind: Kind,
    /// Whether that execution alone shows it.
    pub confirmed: bool,
    /// The clause that would exclude it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires: Option<String>,
    /// Lines where the same cause shows, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<u32>,
}

impl Record {
    /// A function, or a whole file, that was not tested.
    pub fn failed(file: &str, function: &str, key: &str, reason: String) -> Record {
        Record {
            file: file.to_owned(),
            function: function.to_owned(),
            key: key.to_owned(),
            line: 0,
            statements: 0,
            tests: 0,
            usable: 0,
            diverged: 0,
            red: None,
            stop: "error".to_owned(),
            reason: Some(reason),
            seconds: 0.0,
            cpu_seconds: 0.0,
            findings: Vec::new(),
            summary: Json::default(),
            directory: String::new(),
            source: String::new(),
            variant: None,
        }
    }

    /// How many objectives have a verdict: covered, infeasible, unknown.
    pub fn objectives(&self) -> [u64; 3] {
        let summary = self.summary.value();
        let criteria = summary["criteria"].as_array().map_or(&[][..], Vec::as_slice);
        let number = |verdict| criteria.iter().filter_map(|count| count[verdict].as_u64()).sum();
        ["covered", "infeasible", "unknown"].map(number)
    }

    /// Whether its tests were executed and went as predicted.
    pub fn is_replayed(&self) -> bool {
        self.usable > 0 && self.diverged == 0 && self.red.is_none()
    }

    /// Whether the clock or a kill cut it off: another run may get further.
    pub fn is_cut_off(&self) -> bool {
        matches!(self.stop.as_str(), "time" | "hopeless" | "memory" | "error")
    }
}
