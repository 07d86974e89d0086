//! How fast whole programs are tested: paths per second, questions to the solver, and where the time goes.
//!
//! `cargo bench --bench subjects [-- FILE.c:FUNCTION ...]`; without arguments a few small programs of the corpus.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use clew::session::{self, Natives, Request};
use clew_explore::Precondition;
use clew_explore::config::Config;
use clew_frontend::{Options, load};
use std::path::Path;
use std::time::Instant;

const SUBJECTS: [&str; 4] = ["merge.c:Merge", "bsearch.c:bsearch", "trityp.c:trityp", "tcas.c:alt_sep_test"];

fn main() {
    println!(
        "{:16} {:>7} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8}",
        "function", "paths", "paths/s", "questions", "total", "explore", "solver", "native"
    );
    let named: Vec<String> = std::env::args().skip(1).filter(|word| word.contains(".c:")).collect();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    for subject in SUBJECTS.iter().filter(|_| named.is_empty()) {
        measure(&corpus.join(subject).display().to_string());
    }
    named.iter().for_each(|subject| measure(subject));
}

fn measure(subject: &str) {
    let (file, name) = subject.rsplit_once(':').expect("a subject is FILE.c:FUNCTION");
    let start = Instant::now();
    let Ok(loaded) = load(&Options::file(file)) else { return println!("{name:16} cannot be read") };
    let Some(function) = loaded.program.function(name) else { return println!("{name:16} is not there") };
    let config = Config { bound: Some(5), tests: 5_000, ..Config::default() };
    let natives = Natives::new(&loaded.program, &loaded.builds, &[function], &config, false);
    let request = Request {
        program: &loaded.program,
        natives: &natives,
        function,
        precondition: Precondition::default(),
        config,
    };
    match session::run(&request, &mut |_| {}) {
        Err(error) => println!("{name:16} {error}"),
        Ok(outcome) => {
            let total = start.elapsed();
            let paths = outcome.tests.len();
            let milliseconds = |time: std::time::Duration| format!("{:.0} ms", time.as_secs_f64() * 1e3);
            println!(
                "{name:16} {paths:7} {:9.0} {:9} {:>8} {:>8} {:>8} {:>8}",
                paths as f64 / total.as_secs_f64(),
                outcome.summary.questions,
                milliseconds(total),
                milliseconds(outcome.exploring.saturating_sub(outcome.summary.solving)),
                milliseconds(outcome.summary.solving),
                milliseconds(outcome.native),
            );
        }
    }
}
