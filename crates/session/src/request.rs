//! What is asked of a test run, as plain data: which sources, what to cover, what inputs may be, how far to go.
//!
//! The command line makes one; an editor or a worker could make another. [`TestRequest::key`] is the part that decides
//! results.

mod key;

use crate::finding::Kind;
use crate::function::{Optimised, Refine};
use crate::settings::{Budget, Settings};
use clew_coverage::Criterion;
use clew_frontend::Options;
use clew_symbolic::config::{Alias, Allocations, Assumptions, Errors, Globals};
use std::path::PathBuf;

/// What to test, and how.
#[derive(Clone, Debug)]
pub struct TestRequest {
    /// The sources and how they are compiled.
    pub sources: Options,
    /// What is wanted of them.
    pub wanted: Wanted,
    /// What inputs may be.
    pub inputs: Inputs,
    /// How far to go with each function.
    pub budget: Budget,
    /// Seed of every random choice.
    pub seed: u64,
    /// How tests are run.
    pub execution: Execution,
    /// What `clew.toml` says.
    pub settings: Settings,
    /// Who asks.
    pub role: Role,
    /// What is written of each function besides `suite.json`: names of frameworks and formats.
    pub forms: Vec<String>,
}

/// What a test run is for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The functions to test; if empty, all that the files define.
    pub functions: Vec<String>,
    /// What to cover; if empty, all paths.
    pub criteria: Vec<Criterion>,
    /// Whether paths are told apart by the results of decisions alone, not by those of their conditions.
    pub whole: bool,
    /// Whose objectives count; `None` leaves it to the role.
    pub scope: Option<Scope>,
    /// The most calls that a test makes of a function which remembers earlier ones.
    pub calls: u32,
    /// A suite that exists already: only what it leaves open is looked for.
    pub given: Option<PathBuf>,
    /// Whether tests that cover nothing new are left out.
    pub minimise: bool,
    /// Whether to say why prefixes are refuted.
    pub explain: bool,
    /// How many inputs are drawn at random, instead of looking for some.
    pub random: Option<u64>,
    /// How many inputs of each path are drawn at random.
    pub per_path: Option<u64>,
    /// Ranges that each integer is cut into for that; `None` leaves it to the search.
    pub ranges: Option<u32>,
    /// Which findings are told; all if it names none.
    pub findings: Vec<Kind>,
}

/// What inputs may be.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// Domains, such as `x=0..10`.
    pub domains: Vec<String>,
    /// Preconditions in ACSL.
    pub requires: Vec<String>,
    /// Whether preconditions that the source suggests are taken for granted.
    pub assume_inferred: bool,
    /// The function that says which inputs are allowed.
    pub precondition: Option<String>,
    /// What a read sees where several writes may have gone to its place.
    pub alias: Alias,
    /// What to do about inputs that make the program undefined.
    pub errors: Errors,
    /// What globals have on entry.
    pub globals: Globals,
    /// Functions whose results are inputs.
    pub stub: Vec<String>,
    /// Functions without a body that are not stubbed.
    pub real: Vec<String>,
    /// Whether allocations may fail; `None` leaves it to the criteria.
    pub allocations: Option<Allocations>,
    /// What becomes of verdicts that take something for granted of the environment.
    pub assumptions: Assumptions,
}

/// How tests are run.
#[derive(Clone, Copy, Debug)]
pub struct Execution {
    /// Whether under sanitizers.
    pub sanitize: bool,
    /// Whose tests are run in an optimised build, too.
    pub optimised: Optimised,
    /// What is done with mutants, and with the inputs of tests; `None` leaves it to the role.
    pub refine: Option<Refine>,
    /// How many side by side.
    pub jobs: usize,
}

/// Whose objectives count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those of the function under test alone.
    Function,
    /// Those of the functions of its file that it can reach.
    File,
    /// Those of all functions that it can reach.
    Program,
}

/// Who asks for a test run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A person: the machine is theirs.
    Person,
    /// A project: other functions wait, and share the memory.
    Project,
}

impl TestRequest {
    /// How far to go with a function: what the request says, or else the settings.
    pub fn budget_of(&self, function: &str) -> Budget {
        self.budget.or(self.settings.of(function).budget)
    }

    /// Whether allocations may fail: where all paths are wanted, only on request.
    pub(crate) fn allocations(&self) -> Allocations {
        let wants_paths = self.wanted.criteria.iter().all(|criterion| *criterion == Criterion::KPath);
        let default = if wants_paths { Allocations::Succeed } else { Allocations::MayFail };
        self.inputs.allocations.unwrap_or(default)
    }

    /// What is done with mutants, and with the inputs of tests.
    pub fn refine(&self) -> Refine {
        let is_project = self.role == Role::Project;
        let default =
            if is_project { Refine::default() } else { Refine { measured: None, telling: true, settle: false } };
        let Refine { measured, telling, settle } = self.execution.refine.unwrap_or(default);
        // Which tests kill a mutant must be known where some of them are left out.
        Refine { measured: measured.map(|all| all || self.wanted.minimise), telling, settle }
    }

    /// Whose objectives count.
    pub(crate) fn scope(&self) -> Scope {
        let each_by_itself = self.wanted.functions.is_empty() || self.role == Role::Project;
        self.wanted.scope.unwrap_or(if each_by_itself { Scope::Function } else { Scope::File })
    }
}
