//! What came of one function of a project, as one line of JSON.

use serde::{Deserialize, Serialize};

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
    pub summary: serde_json::Value,
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
            summary: serde_json::Value::Null,
            directory: String::new(),
            source: String::new(),
            variant: None,
        }
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
