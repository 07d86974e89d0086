//! Runs SMT-LIB files: `smt2 [--engine auto|propagation|sat] [--seconds N] [--work N] FILE...`.
//!
//! With several files, prints one line per file with its answers, the time and the work, for measurements. `--seconds` limits
//! time, `--work` the seconds of the clock of work, which are the same on every machine; `CLEW_TUNE` sets rows of the policy.

#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::time::{Duration, Instant};

use clew_solver::clock::{self, Deadline};
use clew_solver::policy::POLICY;
use clew_solver::smtlib::{Options, run};
use clew_solver::solver::{Budget, Config, Engine};

struct Arguments {
    engine: Engine,
    seconds: f64,
    work: Option<f64>,
    files: Vec<String>,
}

fn arguments() -> Arguments {
    let mut found = Arguments { engine: Engine::Auto, seconds: 60.0, work: None, files: Vec::new() };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--engine" => {
                found.engine = match arguments.next().as_deref() {
                    Some("sat") => Engine::Sat,
                    Some("propagation") => Engine::Propagation,
                    _ => Engine::Auto,
                }
            }
            "--seconds" => found.seconds = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(60.0),
            "--work" => found.work = arguments.next().and_then(|text| text.parse().ok()),
            _ => found.files.push(argument),
        }
    }
    found
}

fn main() -> Result<(), clew_policy::TuneError> {
    clew_policy::tune_from_environment(&[&POLICY])?;
    let Arguments { engine, seconds, work, files } = arguments();
    for file in &files {
        let (start, before) = (Instant::now(), clock::work());
        let deadline = Deadline::after(Duration::from_secs_f64(seconds));
        let deadline = work.map_or(deadline, |work| deadline.or_work(Duration::from_secs_f64(work)));
        let options =
            Options { config: Config { engine, ..Config::default() }, budget: Budget { steps: None, deadline } };
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let mut answers = Vec::new();
        if let Err(error) = run(&text, &options, &mut |line| answers.push(line.to_string())) {
            answers.push(format!("error: {error}"));
        }
        if files.len() == 1 {
            answers.iter().for_each(|line| println!("{line}"));
        } else {
            let (time, work) = (start.elapsed().as_secs_f64(), (clock::work() - before).as_secs_f64());
            println!("{time:8.3} {work:10.6} {} {file}", answers.join(" "));
        }
    }
    Ok(())
}
