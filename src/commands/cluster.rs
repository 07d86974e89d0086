//! `clew cluster`: files for schedulers.

use crate::cli::{ClusterCommand, SlurmArguments};
use crate::status::Status;
use crate::terminal::Terminal;
use clew_cluster::slurm::{self, Array};

/// Memory of a task for each of its processors, in megabytes.
const MEMORY_PER_PROCESSOR: u32 = 2048;

pub(super) fn run(command: &ClusterCommand, terminal: Terminal) -> Result<Status, Status> {
    match command {
        ClusterCommand::Slurm(arguments) => terminal.print(&slurm::text(&array(arguments))),
    }
    Ok(Status::Fine)
}

fn array(arguments: &SlurmArguments) -> Array {
    let SlurmArguments { shards, processors, memory, time, partition, out, program, words } = arguments;
    Array {
        shards: *shards,
        processors: *processors,
        memory: memory.unwrap_or(processors.saturating_mul(MEMORY_PER_PROCESSOR)),
        time: time.clone(),
        partition: partition.clone(),
        out: out.display().to_string(),
        program: program.clone(),
        words: words.clone(),
    }
}
