//! Arguments of `clew mutate`.

use super::SummaryForm;
use clap::Args;
use std::path::PathBuf;

/// What is measured, and how.
#[derive(Debug, Args)]
pub(crate) struct MutateArguments {
    /// The directory that `clew test` wrote, or its `suite.json`.
    #[arg(value_name = "SUITE", default_value = "clew-out")]
    pub(crate) suite: PathBuf,
    /// Measure the tests of the project in the present folder, which this command builds and runs, instead of a suite. They
    /// run in a copy of the folder.
    #[arg(long, value_name = "COMMAND", requires = "file")]
    pub(crate) command: Option<String>,
    /// The C files whose functions are changed; may be repeated. Default: those the suite was made from.
    #[arg(long, value_name = "FILE.c")]
    pub(crate) file: Vec<PathBuf>,
    /// Only this function; may be repeated.
    #[arg(long, short = 'f', value_name = "NAME")]
    pub(crate) function: Vec<String>,
    /// Run each mutant under all tests that come to its place, not until one kills it: mutants.json then names them all.
    #[arg(long)]
    pub(crate) matrix: bool,
    /// Print the summary to standard output in this form.
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) summary: Option<SummaryForm>,
    /// Flags for the compiler, instead of those that the suite was made with.
    #[arg(last = true, value_name = "CC FLAGS")]
    pub(crate) cc_flags: Vec<String>,
}
