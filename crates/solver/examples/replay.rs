//! Replays recorded SMT-LIB sessions: `replay FILE...` prints the answer and the nanoseconds of every query.
//!
//! Times are those of answering alone, model included; reading the script and building terms are not counted.
//! `scripts/compare_paths.py` records sessions and compares.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints its results")]

use clew_solver::smtlib::{Options, measure};

fn main() {
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        match measure(&text, &Options::default()) {
            Ok(answers) => answers.iter().for_each(|(answer, time)| println!("{answer} {}", time.as_nanos())),
            Err(error) => eprintln!("{file}: {error}"),
        }
    }
}
