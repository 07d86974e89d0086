//! What goes between the process that keeps account of a project and those that test functions for it: a job and then the
//! names of functions, one by one, on standard input; events as lines of JSON on standard output.

use super::record::Record;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A file to test.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The file.
    pub file: PathBuf,
    /// Where the directories of its functions go.
    pub directory: PathBuf,
    /// Where the library of the file is kept for all that test functions of it.
    pub kept: PathBuf,
    /// The keys of functions whose results are there already.
    pub known: BTreeMap<String, String>,
    /// Whether results that others have made are looked for.
    pub look: bool,
    /// What stands for the program of clew in the names of such results.
    pub tool: String,
    /// The functions whose test code is to be written, from tests that are there already; `None` if functions are to be
    /// tested.
    #[serde(default)]
    pub code: Option<Vec<String>>,
}

/// What a worker says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Event {
    /// The file cannot be used.
    Unreadable(String),
    /// The functions of the file that are asked for, and those of them whose results are not there yet.
    Functions {
        /// Those asked for.
        asked: Vec<String>,
        /// Those to be tested, with their keys.
        open: Vec<(String, String)>,
    },
    /// It can test a function now.
    Ready,
    /// Work on a function begins: its name and its key.
    Begin(String, String),
    /// A function is done.
    Done(Box<Record>),
    /// A function was done by others.
    Found(Box<Record>),
    /// The test code of the file is written; what is wrong with that of functions, by their names.
    Code(BTreeMap<String, String>),
    /// Something the reader should know.
    Note(String),
}
