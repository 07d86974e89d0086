//! What goes between the process that keeps account of a project and those that test functions for it: a job, then orders
//! and answers, one by one, on standard input; events on standard output. All are lines of JSON.

use super::record::Record;
use crate::function::parts::Task;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A file to test.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
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
    /// The exploration of the function goes on in parts; these are to be run.
    Parts(Vec<Task>),
    /// It can run one of them. The answer is an [`Answer`].
    NextPart,
    /// What came of one of them is there.
    Part(usize),
    /// It does not help with the function any more.
    Helped,
    /// A function is done.
    Done(Box<Record>),
    /// A function was done by others.
    Found(Box<Record>),
    /// The test code of the file is written; what is wrong with that of functions, by their names.
    Code(BTreeMap<String, String>),
    /// Something the reader should know.
    Note(String),
}

/// What a worker is to do next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// Test a function.
    Test(String),
    /// Run parts of the exploration of a function that another worker tests.
    Help(String),
}

impl Order {
    /// The function.
    pub fn function(&self) -> &str {
        match self {
            Order::Test(function) | Order::Help(function) => function,
        }
    }
}

/// What a worker that can run a part of an exploration is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// Run this one.
    Run(usize, Task),
    /// Ask again: others are at what is left.
    Wait,
    /// There is nothing left to do.
    Over,
}

/// The file for what came of a part of the exploration of a function, in the folder that workers share.
pub fn part_file(job: &Job, function: &str, task: usize) -> PathBuf {
    let name = format!("{}\n{function}", job.file.display());
    job.kept.join(format!("{}-part-{task}", &crate::hash::sha256(name.as_bytes())[..16]))
}
