//! The commands, one file each.

mod annotate;
mod cfg;
mod cluster;
mod diff;
mod evidence;
mod goals;
mod ir;
mod java;
mod merge;
mod mutate;
mod policy;
mod prove;
mod questions;
mod reach;
mod relations;
mod rules;
mod run;
mod solve;
mod source;
mod test;
mod worker;

use crate::cli::Command;
use crate::status::Status;
use crate::terminal::Terminal;

pub(crate) use policy::tune;

/// Runs a command to its end.
pub(crate) fn run(command: &Command, terminal: &Terminal) -> Status {
    let result = match command {
        Command::Test(arguments) => test::run(arguments, *terminal),
        Command::Merge(arguments) => merge::run(arguments, *terminal),
        Command::Worker(arguments) => worker::run(arguments, *terminal),
        Command::Cluster(command) => cluster::run(command, *terminal),
        Command::Reach(arguments) => reach::run(arguments, *terminal),
        Command::Prove(arguments) => prove::run(arguments, *terminal),
        Command::Solutions(arguments) => questions::solutions(arguments, *terminal),
        Command::Domain(arguments) => questions::domain(arguments, *terminal),
        Command::Run(arguments) => run::run(arguments, *terminal),
        Command::Ir(arguments) => ir::run(arguments, *terminal),
        Command::Evidence(arguments) => evidence::run(arguments, *terminal),
        Command::Mutate(arguments) => mutate::run(arguments, *terminal),
        Command::Diff(arguments) => diff::run(arguments, *terminal),
        Command::Cfg(arguments) => cfg::run(arguments, *terminal),
        Command::Solve(arguments) => solve::run(arguments, *terminal),
        Command::Rules(arguments) => rules::run(arguments, *terminal),
        Command::Policy => policy::run(*terminal),
    };
    result.unwrap_or_else(|status| status)
}
