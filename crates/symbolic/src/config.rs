//! What an exploration is asked to do.

use clew_coverage::Criterion;
use clew_ir::FunctionId;
use clew_solver::clock::Deadline;

use crate::kpath::Bound;

pub use crate::stub::{Allocations, Stubbing};

/// Options of an exploration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// What is asked for.
    pub mode: Mode,
    /// What to cover.
    pub criteria: Vec<Criterion>,
    /// Whether failing checks are goals: then every check is looked at, those of pointer arithmetic included.
    pub error_goals: bool,
    /// The functions whose objectives count; if empty, the function under test alone.
    pub scope: Vec<FunctionId>,
    /// The most iterations of a loop that paths should have.
    pub bound: Bound,
    /// Whether paths are told apart by the results of decisions alone, not by those of their conditions.
    pub whole: bool,
    /// What to do about inputs that make the program undefined.
    pub errors: Errors,
    /// Which globals are part of the input.
    pub globals: Globals,
    /// The most calls of the function on one path, where it remembers earlier ones in static variables of functions.
    pub calls: u32,
    /// How far to go.
    pub limits: Limits,
    /// Which functions are stubs.
    pub stubbing: Stubbing,
    /// Seed of everything random.
    pub seed: u64,
    /// Whether volatile memory may change before each reading; the execution of tests must support that.
    pub readings: bool,
    /// What a read sees where it is open which of the writes before it went to the same place.
    pub alias: Alias,
    /// Whether pointers of the input are references of Java.
    pub references: bool,
    /// Where it is tried that pointers of the input lead to one object.
    pub overlap: Overlap,
    /// Whether the summary says why prefixes are refuted.
    pub explain: bool,
    /// What is taken for granted of pointers of the input.
    pub validity: Validity,
    /// What becomes of verdicts that rest on assumptions.
    pub assumptions: Assumptions,
    /// Whether goals compare calls of functions: states are followed best one by one there, so that it is tried first.
    pub compares: bool,
}

impl Config {
    /// The usual options for some criteria.
    pub fn for_criteria(criteria: Vec<Criterion>) -> Config {
        Config { mode: Mode::of(&criteria), criteria, ..Config::default() }
    }

    /// Whether paths head for objectives instead of being enumerated.
    pub fn is_directed(&self) -> bool {
        self.mode == Mode::Objectives
    }

    /// Whether failing checks are objectives, or some or all of them are goals.
    pub fn seeks_errors(&self) -> bool {
        let are_goals = self.error_goals || self.validity == Validity::Demanded;
        are_goals || self.criteria.contains(&Criterion::Error)
    }
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// All paths within the bound.
    Paths,
    /// Objectives of criteria: paths head for what is not covered yet.
    Objectives,
    /// Goals: all paths to them at once.
    Goal,
}

impl Mode {
    /// What criteria ask for: all paths without any, or with paths among them.
    pub fn of(criteria: &[Criterion]) -> Mode {
        if criteria.is_empty() || criteria.contains(&Criterion::KPath) { Mode::Paths } else { Mode::Objectives }
    }
}

impl Default for Config {
    fn default() -> Self {
        Config {
            mode: Mode::Paths,
            criteria: Vec::new(),
            error_goals: false,
            scope: Vec::new(),
            bound: None,
            whole: false,
            errors: Errors::Report,
            globals: Globals::Input,
            calls: 1,
            limits: Limits::default(),
            stubbing: Stubbing::default(),
            seed: 0,
            readings: false,
            alias: Alias::Merge,
            references: false,
            overlap: Overlap::Compared,
            explain: false,
            validity: Validity::Assumed,
            assumptions: Assumptions::Named,
            compares: false,
        }
    }
}

/// How far a run may go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
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
}

impl Limits {
    /// The usual limits with a deadline.
    pub fn until(deadline: Deadline) -> Limits {
        Limits { deadline, ..Limits::default() }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            steps: 1_000_000,
            depth: 1_000,
            tests: u64::MAX,
            deadline: Deadline::default(),
            is_hasty: false,
            memory: None,
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

/// What becomes of verdicts that rest on assumptions about the environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assumptions {
    /// They name them.
    Named,
    /// They are not given: what cannot be shown without assumptions is unknown.
    Rejected,
}

/// What is taken for granted of pointers of the input that the program looks behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validity {
    /// They are not null and lead to as many elements as are accessed, where no contract says how many.
    Assumed,
    /// Nothing but what a contract says: to access more is a failure.
    Demanded,
}

/// Where it is tried that inputs overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    /// Where the program compares their addresses.
    Compared,
    /// Also where it reads from one what it may have written to another one: as C lets objects of their types overlap.
    Read,
    /// The same for objects of any types, as with `-fno-strict-aliasing`.
    ReadAsAnyType,
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
