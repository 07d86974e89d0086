//! What goes between the process that keeps account of a project and those that test functions for it: one job on
//! standard input, events as lines of JSON on standard output.

use clew::project::record::Record;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A file to test.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Job {
    /// The file.
    pub(super) file: PathBuf,
    /// Where the directories of its functions go.
    pub(super) directory: PathBuf,
    /// Functions tested side by side.
    pub(super) threads: usize,
    /// The keys of functions whose results are there already.
    pub(super) known: BTreeMap<String, String>,
    /// Functions to leave alone.
    pub(super) skip: BTreeSet<String>,
}

/// What a worker says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Event {
    /// The file cannot be used.
    Unreadable(String),
    /// The functions of the file that are to be tested.
    Functions(Vec<String>),
    /// Work on a function begins: its name and its key.
    Begin(String, String),
    /// A function is done.
    Done(Box<Record>),
    /// There is more to do, for another worker: this one has too much memory.
    MakesWay,
}
