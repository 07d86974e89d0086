//! Sources and tools: what they were, and what they are now.

use clew_session::hash::sha256;
use clew_session::suite::made::HashedFile;
use serde::Serialize;
use std::path::Path;
use std::process::Command;

/// A source file of a suite.
#[derive(Debug, Serialize)]
pub struct SourceState {
    /// Its path.
    pub file: String,
    /// SHA-256 when the suite was made.
    pub sha256: String,
    /// Whether it still is the same.
    pub unchanged: bool,
}

impl SourceState {
    /// Looks at a file again.
    pub(super) fn of(file: &HashedFile) -> SourceState {
        let now = std::fs::read(Path::new(&file.file)).map(|bytes| sha256(&bytes));
        let unchanged = now.is_ok_and(|now| now == file.sha256);
        SourceState { file: file.file.clone(), sha256: file.sha256.clone(), unchanged }
    }
}

/// What a tool says of its version: the first line.
pub(super) fn version(words: &[String]) -> String {
    let Some((tool, rest)) = words.split_first() else { return "unknown".to_owned() };
    let output = Command::new(tool).args(rest).arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.lines().next().map_or_else(|| format!("{tool}: not found"), str::to_owned)
}
