//! Replays SMT-LIB sessions: `replay [--steps N] [--engine sat] FILE...` prints the answer and the nanoseconds of every query.
//!
//! Times are CPU times of answering alone: reading the script and building terms are not counted, nor is other load on
//! the machine. The scripts `compare_paths.py` and `compare_random.py` make sessions and compare.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints its results")]

use std::time::Duration;

use clew_solver::smtlib::{Options, measure};
use clew_solver::solver::Engine;
use rustix::time::{ClockId, clock_gettime};

fn main() {
    let mut options = Options::default();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--steps" {
            options.budget.steps = arguments.next().and_then(|steps| steps.parse().ok());
            continue;
        }
        if argument == "--engine" {
            assert_eq!(arguments.next().as_deref(), Some("sat"), "the only other engine");
            options.config.engine = Engine::Sat;
            continue;
        }
        let text = std::fs::read_to_string(&argument).unwrap_or_default();
        match measure(&text, &options, cpu_time) {
            Ok(answers) => answers.iter().for_each(|(answer, time)| println!("{answer} {}", time.as_nanos())),
            Err(error) => eprintln!("{argument}: {error}"),
        }
    }
}

/// The CPU time of this thread.
fn cpu_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("a CPU time is not negative")
}
