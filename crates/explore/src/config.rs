//! What an exploration is asked to do.

use std::sync::Arc;

use clew_coverage::Criterion;
use clew_ir::FunctionId;
use clew_solver::clock::Deadline;

use crate::kpath::Bound;
use crate::stub::Stubs;

/// Options of an exploration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// What to cover. Without criteria, or with paths among them, all paths within the bound are explored; otherwise
    /// the exploration heads for what is not covered yet.
    pub criteria: Vec<Criterion>,
    /// The functions whose objectives count; if empty, the function under test alone.
    pub scope: Vec<FunctionId>,
    /// The most iterations of a loop that paths should have.
    pub bound: Bound,
    /// What to do about inputs that make the program undefined.
    pub errors: Errors,
    /// Which globals are part of the input.
    pub globals: Globals,
    /// The most calls of the function on one path, where it remembers earlier ones in static variables of functions.
    pub calls: u32,
    /// Instructions on one path.
    pub steps: u64,
    /// Activations at once.
    pub depth: usize,
    /// Tests after which to stop.
    pub tests: u64,
    /// When to stop whatever was counted: a safety net, and reported as such.
    pub deadline: Deadline,
    /// Whether to stop when nothing new was covered in half of the time that was left until then: others wait for it.
    pub is_hasty: bool,
    /// Bytes of memory of the process beyond which to stop, another safety net.
    pub memory: Option<u64>,
    /// Seed of everything random.
    pub seed: u64,
    /// Functions without a body that must not become stubs.
    pub real: Vec<String>,
    /// Functions that must become stubs.
    pub stub: Vec<String>,
    /// Whether allocations may fail.
    pub allocations: Allocations,
    /// The stubs that follow from these, if somebody looked for them already.
    pub stubs: Option<Arc<Stubs>>,
    /// Whether volatile memory may change before each reading: whoever executes tests must be able to do that.
    pub readings: bool,
    /// What a read sees where it is open which of the writes before it went to the same place.
    pub alias: Alias,
    /// Whether the summary says why prefixes are refuted.
    pub explain: bool,
}

impl Config {
    /// Whether the exploration heads for objectives instead of enumerating paths.
    pub fn is_directed(&self) -> bool {
        !self.criteria.is_empty() && !self.criteria.contains(&Criterion::KPath)
    }
}

impl Default for Config {
    fn default() -> Self {
        Config {
            criteria: Vec::new(),
            scope: Vec::new(),
            bound: None,
            errors: Errors::Report,
            globals: Globals::Input,
            calls: 1,
            steps: 1_000_000,
            depth: 1_000,
            tests: u64::MAX,
            deadline: Deadline::default(),
            is_hasty: false,
            memory: None,
            seed: 0,
            real: Vec::new(),
            stub: Vec::new(),
            allocations: Allocations::Succeed,
            stubs: None,
            readings: false,
            alias: Alias::Merge,
            explain: false,
        }
    }
}

/// What to do about inputs that make the program undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errors {
    /// Look for one such input for each check, and report it; paths go on with the others.
    Report,
    /// Paths go on with the others.
    AssumeAbsent,
    /// A path ends at the first check that its input fails.
    End,
}

/// What to do where it is open which of the writes before it a read sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alias {
    /// One path for all of them.
    Merge,
    /// One path for each, as in PathCrawler.
    Split,
}

/// Which globals are part of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Globals {
    /// All that are not `const`.
    Input,
    /// None: they have their initial values.
    Initial,
}

/// Whether allocations on the heap may fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocations {
    /// Never, except for sizes no machine has.
    Succeed,
    /// Each may: the input says which do.
    MayFail,
}
