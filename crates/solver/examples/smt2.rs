//! Runs SMT-LIB files: `smt2 [--engine auto|propagation|sat] [--seconds N] [--stats] FILE...`.
//!
//! With several files, prints one line per file with its answers and the time, for measurements.

#![allow(clippy::print_stdout, reason = "an example prints its results")]

use clew_solver::clock::Deadline;
use std::time::{Duration, Instant};

use clew_solver::smtlib::{Options, run};
use clew_solver::solver::{Budget, Config, Engine};

fn main() {
    let mut files = Vec::new();
    let (mut engine, mut seconds) = (Engine::Auto, 60.0);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--engine" => {
                engine = match arguments.next().as_deref() {
                    Some("sat") => Engine::Sat,
                    Some("propagation") => Engine::Propagation,
                    _ => Engine::Auto,
                }
            }
            "--seconds" => seconds = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(seconds),
            _ => files.push(argument),
        }
    }
    for file in &files {
        let start = Instant::now();
        let deadline = Deadline::after(Duration::from_secs_f64(seconds));
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
            println!("{:8.3} {} {file}", start.elapsed().as_secs_f64(), answers.join(" "));
        }
    }
}
