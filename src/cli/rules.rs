//! Arguments of `clew rules`.

use super::{EFFORT, OUTPUT, SummaryForm, WANTED, names};
use clap::{Args, ValueEnum};
use clew_emit::Framework;
use std::path::PathBuf;

/// Arguments of `clew rules`.
#[derive(Debug, Args)]
pub(crate) struct RulesArguments {
    /// The specification.
    #[arg(value_name = "SPEC.jsl")]
    pub(crate) file: PathBuf,
    /// The function to test; may be repeated. Default: every function, or those that the adapter has.
    #[arg(long, short = 'f', value_name = "NAME", help_heading = WANTED)]
    pub(crate) function: Vec<String>,
    /// What to cover, several separated by commas.
    #[arg(
        long,
        short = 'c',
        value_enum,
        value_name = "CRITERION",
        value_delimiter = ',',
        default_value = "all-rules",
        help_heading = WANTED
    )]
    pub(crate) criterion: Vec<RulesCriterion>,
    /// Which results are preferred where there is a choice. Default: the simplest rules.
    #[arg(long, value_enum, help_heading = WANTED)]
    pub(crate) prefer: Option<PreferName>,
    /// A constructor of abnormal results; may be repeated. Default: those called `Abnormal...`, `Abort...` or `Error...`.
    #[arg(long, value_name = "CONSTRUCTOR", help_heading = WANTED)]
    pub(crate) abnormal: Vec<String>,
    /// Fill open variables with random terms of at most so many constructors, instead of the smallest.
    #[arg(long, value_name = "SIZE", help_heading = WANTED)]
    pub(crate) random: Option<usize>,
    /// Read the specification with the type `int` of 32-bit integers.
    #[arg(long, help_heading = WANTED)]
    pub(crate) integers: bool,
    /// Evaluate an expression by the rules and print what it becomes, nothing else.
    #[arg(long, value_name = "EXPRESSION")]
    pub(crate) eval: Option<String>,
    /// Write the rules as a program of C, for everything that clew does with C, and nothing else.
    #[arg(long, value_name = "FILE.c", conflicts_with_all = ["eval", "adapter"])]
    pub(crate) as_c: Option<PathBuf>,
    /// How an implementation in C spells terms: its tests are written and run, differences are findings.
    #[arg(long, value_name = "FILE.toml", help_heading = WANTED)]
    pub(crate) adapter: Option<PathBuf>,
    /// Also compare the implementation with the rules on all arguments of at most this size.
    #[arg(long, value_name = "SIZE", requires = "adapter", help_heading = WANTED)]
    pub(crate) agree: Option<usize>,
    /// Rules that may be applied for an objective.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, help_heading = EFFORT)]
    pub(crate) steps: u64,
    /// Seed of every random choice.
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = EFFORT)]
    pub(crate) seed: u64,
    /// Where the suite goes; nothing of yours is overwritten.
    #[arg(long, short = 'o', value_name = "DIR", default_value = "clew-out", help_heading = OUTPUT)]
    pub(crate) out: PathBuf,
    /// The test frameworks to write for, separated by commas.
    #[arg(
        long,
        value_parser = names::framework(),
        value_name = "FRAMEWORK",
        value_delimiter = ',',
        default_value = "plain",
        help_heading = OUTPUT
    )]
    pub(crate) emit: Vec<Framework>,
    /// Print the summary to standard output in this form.
    #[arg(long, value_enum, value_name = "FORM", help_heading = OUTPUT)]
    pub(crate) summary: Option<SummaryForm>,
    /// Do not look for rules that disagree and for missing cases.
    #[arg(long, help_heading = EFFORT)]
    pub(crate) no_warnings: bool,
}

/// What a suite covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RulesCriterion {
    /// Each rule of the functions fires at the outermost call.
    AllRules,
    /// Each rule of the functions and of those they call fires somewhere.
    AllRulesEverywhere,
    /// Each call of a rule fires each rule of the function it calls.
    RulePairs,
    /// Each condition fails alone, in each other constructor.
    Boundary,
}

/// Which results are preferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PreferName {
    /// Not abnormal ones.
    Normal,
    /// Abnormal ones.
    Abnormal,
}
