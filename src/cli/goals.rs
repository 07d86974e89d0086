//! Arguments of the commands that pursue goals.

use super::test::{AssumptionsName, DenyName};
use super::{EFFORT, INPUTS, OUTPUT, WANTED};
use super::{GlobalsName, JavaArguments, RelationArguments, SourceArguments, SummaryForm};
use clap::Args;
use clew_session::settings::Budget;
use std::path::PathBuf;

/// How goals are pursued.
#[derive(Debug, Args)]
pub(crate) struct GoalArguments {
    /// The most turns of a loop. Default: as many as it takes.
    #[arg(short = 'k', long = "k", value_name = "K", help_heading = EFFORT)]
    pub(crate) bound: Option<u32>,
    /// What an input may be, such as 'x=0..10' or 'a[*]=-100..100'; may be repeated.
    #[arg(long, value_name = "DOMAIN", allow_hyphen_values = true, help_heading = INPUTS)]
    pub(crate) domain: Vec<String>,
    /// A further precondition in ACSL, such as 'x < y'; may be repeated.
    #[arg(long, value_name = "PREDICATE", allow_hyphen_values = true, help_heading = INPUTS)]
    pub(crate) requires: Vec<String>,
    /// A function of the program that takes the same parameters and returns 0 for inputs that are not allowed. Default
    /// for a function `f`: `f_precond`, if there is one.
    #[arg(long, value_name = "NAME", help_heading = INPUTS)]
    pub(crate) precondition: Option<String>,
    /// What globals have on entry.
    #[arg(long, value_enum, default_value_t = GlobalsName::Input, help_heading = INPUTS)]
    pub(crate) globals: GlobalsName,
    /// Stop after so many seconds per function, a safety net. Default: 60, or with `--effort` ten times as much and 60.
    #[arg(long, value_name = "SECONDS", help_heading = EFFORT)]
    pub(crate) time: Option<f64>,
    /// Stop after as much work per function as takes about so many seconds: what is found depends neither on the machine
    /// nor on what else it does.
    #[arg(long, value_name = "SECONDS", help_heading = EFFORT)]
    pub(crate) effort: Option<f64>,
    /// Where tests go; nothing of yours is overwritten.
    #[arg(long, short = 'o', value_name = "DIR", default_value = "clew-goals", help_heading = OUTPUT)]
    pub(crate) out: PathBuf,
    /// Print the summary to standard output in this form.
    #[arg(long, value_enum, value_name = "FORM", help_heading = OUTPUT)]
    pub(crate) summary: Option<SummaryForm>,
    /// What becomes of proofs that take something for granted of the environment (docs/trust.md).
    #[arg(long, value_enum, default_value_t = AssumptionsName::Named, help_heading = INPUTS)]
    pub(crate) assumptions: AssumptionsName,
    /// With assumptions, add 8 to the exit code if a proof takes something for granted. What is violated gives code 1 anyway.
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',', help_heading = OUTPUT)]
    pub(crate) deny: Vec<DenyName>,
    /// Seed of every random choice.
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = EFFORT)]
    pub(crate) seed: u64,
    /// Further flags for the compiler.
    #[arg(last = true, value_name = "CC FLAGS")]
    pub(crate) cc_flags: Vec<String>,
}

impl GoalArguments {
    /// How far to go.
    pub(crate) fn budget(&self) -> Budget {
        Budget { time: self.time, effort: self.effort, k: self.bound, tests: None }
    }
}

/// Goals: a file followed by `:LINE` is one.
#[derive(Debug, Args)]
pub(crate) struct TargetArguments {
    #[command(flatten)]
    pub(crate) source: SourceArguments,
    /// The function whose inputs are looked for. Default: the one in which the goal stands.
    #[arg(long, short = 'f', value_name = "NAME", help_heading = WANTED)]
    pub(crate) function: Option<String>,
    /// A condition in ACSL that is to hold on a line, such as 'x == 3@17'; may be repeated.
    #[arg(long, value_name = "CONDITION@LINE", allow_hyphen_values = true, help_heading = WANTED)]
    pub(crate) goal: Vec<String>,
    /// A loop that is to make exactly N turns: by its number in the function, from 1, or '@' and its line; may be
    /// repeated.
    #[arg(long, value_name = "LOOP=N", help_heading = WANTED)]
    pub(crate) iterations: Vec<String>,
    /// One execution is to reach all lines, conditions and numbers of turns that are named, in any order.
    #[arg(long, help_heading = WANTED)]
    pub(crate) all: bool,
    /// A whole path of the function: the outcomes of its conditions in order, by line, such as '+3 -7:12 +3'. `...` at the end
    /// leaves open how it goes on.
    #[arg(
        long,
        value_name = "OUTCOMES",
        allow_hyphen_values = true,
        conflicts_with_all = ["goal", "iterations", "all"],
        help_heading = WANTED
    )]
    pub(crate) path: Option<String>,
}

/// Arguments of `clew reach`.
#[derive(Debug, Args)]
pub(crate) struct ReachArguments {
    #[command(flatten)]
    pub(crate) target: TargetArguments,
    #[command(flatten)]
    pub(crate) java: JavaArguments,
    #[command(flatten)]
    pub(crate) how: GoalArguments,
}

/// Arguments of `clew solutions`.
#[derive(Debug, Args)]
pub(crate) struct SolutionsArguments {
    #[command(flatten)]
    pub(crate) target: TargetArguments,
    /// List at most so many inputs; each was executed.
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = OUTPUT)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) how: GoalArguments,
}

/// Arguments of `clew domain`.
#[derive(Debug, Args)]
pub(crate) struct DomainArguments {
    #[command(flatten)]
    pub(crate) target: TargetArguments,
    /// Also find the smallest and the largest value that each input has.
    #[arg(long, help_heading = WANTED)]
    pub(crate) exact: bool,
    #[command(flatten)]
    pub(crate) how: GoalArguments,
}

/// Arguments of `clew prove`.
#[derive(Debug, Args)]
pub(crate) struct ProveArguments {
    #[command(flatten)]
    pub(crate) source: SourceArguments,
    /// The function to look at; may be repeated. Default: every function of the files that has a property.
    #[arg(long, short = 'f', value_name = "NAME", help_heading = WANTED)]
    pub(crate) function: Vec<String>,
    /// A further postcondition in ACSL, such as '\result >= 0'; may be repeated.
    #[arg(long, value_name = "PREDICATE", allow_hyphen_values = true, help_heading = WANTED)]
    pub(crate) ensures: Vec<String>,
    /// Also prove that nothing undefined happens (every check of overflow, division, access and the like) and that no
    /// memory is lost.
    #[arg(long, help_heading = WANTED)]
    pub(crate) checks: bool,
    /// Also prove that every loop and every recursion ends, or find an input for which it does not.
    #[arg(long, help_heading = WANTED)]
    pub(crate) terminates: bool,
    /// Write the files with the loop invariants that carry proofs, in ACSL, to the folder for tests.
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) annotate: bool,
    #[command(flatten)]
    pub(crate) relations: RelationArguments,
    #[command(flatten)]
    pub(crate) java: JavaArguments,
    #[command(flatten)]
    pub(crate) how: GoalArguments,
}
