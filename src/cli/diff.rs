//! Arguments of `clew diff`.

use super::SummaryForm;
use clap::Args;
use std::path::PathBuf;

/// What is compared.
#[derive(Debug, Args)]
pub(crate) struct DiffArguments {
    /// A directory that `clew test` wrote, its `suite.json`, or a C file.
    #[arg(value_name = "OLD")]
    pub(crate) old: PathBuf,
    /// The other one of the same kind.
    #[arg(value_name = "NEW")]
    pub(crate) new: PathBuf,
    /// For two C files: the suite whose tests are run on both.
    #[arg(long, value_name = "SUITE", default_value = "clew-out")]
    pub(crate) suite: PathBuf,
    /// Print the summary to standard output in this form.
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) summary: Option<SummaryForm>,
    /// Flags for the compiler, instead of those that the suite was made with.
    #[arg(last = true, value_name = "CC FLAGS")]
    pub(crate) cc_flags: Vec<String>,
}
