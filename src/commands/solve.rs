//! `clew solve`: the solver as a tool of its own.

use crate::cli::{EngineName, SolveArguments};
use crate::status::Status;
use crate::terminal::Terminal;
use clew_solver::smtlib;
use clew_solver::solver::{Budget, Config, Engine};
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

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
    let deadline = arguments.time.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds.clamp(0.0, 1e9)));
    let options = smtlib::Options {
        config: Config { engine, seed: arguments.seed, ..Config::default() },
        budget: Budget { steps: arguments.steps, deadline },
        ..smtlib::Options::default()
    };
    let mut unknown = false;
    let result = smtlib::run(&text, &options, &mut |response| {
        unknown |= response == "unknown";
        terminal.print(&format!("{response}\n"));
    });
    match result {
        Ok(()) if unknown => Ok(Status::Limit),
        Ok(()) => Ok(Status::Fine),
        Err(error) => {
            terminal.error(&format!("{}: {error}", arguments.file.display()));
            Err(Status::BadInput)
        }
    }
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
