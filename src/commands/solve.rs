//! `clew solve`: the solver as a tool of its own.

use crate::cli::{EngineName, SolveArguments};
use crate::status::Status;
use crate::terminal::Terminal;
use clew_solver::clock::Deadline;
use clew_solver::smtlib;
use clew_solver::solver::{Budget, Config, Engine, Statistics};
use std::io::Read;
use std::path::Path;
use std::time::Duration;

pub(super) fn run(arguments: &SolveArguments, terminal: Terminal) -> Result<Status, Status> {
    let text = read(&arguments.file).map_err(|error| {
        terminal.error(&format!("{}: {error}", arguments.file.display()));
        Status::BadInput
    })?;
    let engine = match arguments.engine {
        EngineName::Auto => Engine::Auto,
        EngineName::Cp => Engine::Propagation,
        EngineName::Sat => Engine::Sat,
    };
    let after = |seconds: f64| Deadline::after(Duration::from_secs_f64(seconds.clamp(0.0, 1e9)));
    let deadline = arguments.time.map(after).unwrap_or_default();
    let options = smtlib::Options {
        config: Config { engine, seed: arguments.seed, ..Config::default() },
        budget: Budget { steps: arguments.steps, deadline },
    };
    let mut unknown = false;
    let result = smtlib::run(&text, &options, &mut |response| {
        unknown |= response == "unknown";
        terminal.print(&format!("{response}\n"));
    });
    match result {
        Ok(statistics) => {
            if arguments.stats {
                terminal.say(&describe(statistics));
            }
            Ok(if unknown { Status::Limit } else { Status::Fine })
        }
        Err(error) => {
            terminal.error(&format!("{}: {error}", arguments.file.display()));
            Err(Status::BadInput)
        }
    }
}

/// How often each layer answered, cheapest first.
fn describe(statistics: Statistics) -> String {
    let Statistics { queries, by_constants, by_last_model, by_repair, by_propagation, by_search, .. } = statistics;
    let Statistics { by_order, by_equations, by_relaxation, by_local_search, by_back_end, .. } = statistics;
    format!(
        "queries {queries}: constants {by_constants}, last model {by_last_model}, repair {by_repair}, \
         propagation {by_propagation}, order {by_order}, equations {by_equations}, labelling {by_search}, \
         linear relaxation {by_relaxation}, local search {by_local_search}, bit-blasting {by_back_end}"
    )
}

fn read(path: &Path) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    if path.as_os_str() == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes)?;
    } else {
        bytes = std::fs::read(path)?;
    }
    String::from_utf8(bytes).map_err(|error| std::io::Error::new(std::io::ErrorKind::InvalidData, error))
}
