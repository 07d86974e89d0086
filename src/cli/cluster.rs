//! Arguments of `clew merge` and `clew cluster`.

use super::examples;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Arguments of `clew merge`.
#[derive(Debug, Args)]
pub(crate) struct MergeArguments {
    /// Directories that `clew test` or `clew merge` wrote.
    #[arg(required = true, value_name = "DIR")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Where the joined project goes; nothing of yours is overwritten.
    #[arg(long, short = 'o', value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Print the summary to standard output in this form.
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) summary: Option<super::SummaryForm>,
}

/// Arguments of `clew worker`.
#[derive(Debug, Args)]
pub(crate) struct WorkerArguments {
    /// The queue, such as nats://HOST or tls://HOST.
    #[arg(long, value_name = "URL")]
    pub(crate) queue: String,
    /// Functions tested side by side. Default: as many as there are processors.
    #[arg(long, short = 'j', value_name = "N")]
    pub(crate) jobs: Option<usize>,
    /// Where functions are built and tested. Default: the system's directory for temporary files.
    #[arg(long, value_name = "DIR")]
    pub(crate) scratch: Option<PathBuf>,
    /// End when there was no work for so many seconds. Default: never.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) idle: Option<f64>,
    /// Seconds after which the work of a worker that is not heard of is given to another; the same for all workers.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) lease: u64,
    /// Run the tests of the project without a network (the default).
    #[arg(long, overrides_with = "native_network")]
    pub(crate) no_native_network: bool,
    /// Let the tests of the project use the network when their code is built and run as it was written.
    #[arg(long)]
    pub(crate) native_network: bool,
}

/// What is written for clusters.
#[derive(Debug, Subcommand)]
pub(crate) enum ClusterCommand {
    /// Print the file with which `sbatch` of Slurm tests a project as a job array.
    #[command(after_long_help = examples::SLURM)]
    Slurm(SlurmArguments),
}

/// Arguments of `clew cluster slurm`.
#[derive(Debug, Args)]
pub(crate) struct SlurmArguments {
    /// How many tasks the array has, each with a share of the functions.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) shards: u32,
    /// Processors of each task.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) processors: u32,
    /// Megabytes of memory of each task. Default: 2048 per processor.
    #[arg(long, value_name = "MB")]
    pub(crate) memory: Option<u32>,
    /// The most time of each task, as Slurm spells it.
    #[arg(long, value_name = "TIME", default_value = "04:00:00")]
    pub(crate) time: String,
    /// The partition.
    #[arg(long, value_name = "NAME")]
    pub(crate) partition: Option<String>,
    /// Where results go, on a file system that all machines have.
    #[arg(long, short = 'o', value_name = "DIR", default_value = "clew-shards")]
    pub(crate) out: PathBuf,
    /// The program of clew on those machines.
    #[arg(long, value_name = "PROGRAM", default_value = "clew")]
    pub(crate) program: String,
    /// What is given to `clew test`.
    #[arg(last = true, required = true, value_name = "ARGUMENTS")]
    pub(crate) words: Vec<String>,
}
