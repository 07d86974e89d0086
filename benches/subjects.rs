//! How fast whole programs are tested: paths per second, questions to the solver, where the time goes; and what a path
//! costs as it gets longer.
//!
//! `cargo bench --bench subjects [-- FILE.c:FUNCTION ...]`; without arguments the programs in `benches/subjects`, an
//! example and some of the corpus. Exploring and native execution run side by side, so that their times add up to more than the whole. CPU is processor
//! time of everything, compilers and tests included.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use clew_execute::usage::ProcessorTime;
use clew_frontend::{Loaded, Options, Preprocessed, contract, load, load_preprocessed};
use clew_ir::FunctionId;
use clew_session::{self as session, Natives, Outcome, Request};
use clew_symbolic::Precondition;
use clew_symbolic::config::{Config, Errors, Limits};
use std::path::Path;
use std::time::{Duration, Instant};

const SUBJECTS: [&str; 8] = [
    "examples/merge.c:Merge",
    "benches/subjects/bubble.c:bubble",
    "benches/subjects/atoi8.c:myatoi",
    "benches/subjects/bs.c:bs",
    "benches/subjects/sum64a.c:sum64a",
    "benches/subjects/nl.c:nl",
    "tests/corpus/trityp.c:trityp",
    "tests/corpus/tcas.c:alt_sep_test",
];

/// Branches of the paths that show what length costs.
const LENGTHS: [u32; 5] = [1_250, 2_500, 5_000, 10_000, 20_000];

fn main() {
    println!(
        "{:16} {:>7} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "function", "paths", "paths/s", "questions", "total", "CPU", "symbolic", "solver", "native"
    );
    let named: Vec<String> = std::env::args().skip(1).filter(|word| word.contains(".c:")).collect();
    for subject in SUBJECTS.iter().filter(|_| named.is_empty()) {
        measure(&Path::new(env!("CARGO_MANIFEST_DIR")).join(subject).display().to_string());
    }
    named.iter().for_each(|subject| measure(subject));
    if named.is_empty() {
        println!("\n{:>8} {:>10} {:>12}", "branches", "one path", "per branch");
        LENGTHS.into_iter().for_each(measure_length);
    }
}

fn measure(subject: &str) {
    let (file, name) = subject.rsplit_once(':').expect("a subject is FILE.c:FUNCTION");
    let (start, used) = (Instant::now(), ProcessorTime::now());
    let Ok(loaded) = load(&Options::file(file)) else { return println!("{name:16} cannot be read") };
    let Some(function) = loaded.program.function(name) else { return println!("{name:16} is not there") };
    let config = Config { limits: Limits { tests: 5_000, ..Limits::default() }, ..Config::default() };
    match tested(&loaded, function, Precondition::default(), config) {
        Err(error) => println!("{name:16} {error}"),
        Ok(outcome) => {
            let (total, paths) = (start.elapsed(), outcome.tests.len());
            println!(
                "{name:16} {paths:7} {:9.0} {:9} {:>8} {:>8} {:>8} {:>8} {:>8}",
                paths as f64 / total.as_secs_f64(),
                outcome.summary.questions,
                milliseconds(total),
                milliseconds(ProcessorTime::now().since(used).total()),
                milliseconds(outcome.exploring.saturating_sub(outcome.summary.solving)),
                milliseconds(outcome.summary.solving),
                milliseconds(outcome.native),
            );
        }
    }
}

/// Explores one path of so many branches, half of them about an element of an array each.
fn measure_length(branches: u32) {
    let text = "int count(const int *a, int n) {\n\
        int c = 0;\nfor (int i = 0; i < n; i++) if (a[i] > 0) c++;\nreturn c;\n}\n";
    let mut loaded = load_preprocessed(vec![Preprocessed::plain("count.c", text)]);
    let function = loaded.program.function("count").expect("it is in the text");
    let half = branches / 2;
    let requires = format!("n == {half}");
    let clause = contract::precondition(&mut loaded, function, &requires).expect("it is well-formed");
    let precondition = Precondition { clauses: vec![clause], ..Precondition::default() };
    let config =
        Config { errors: Errors::AssumeAbsent, limits: Limits { tests: 1, ..Limits::default() }, ..Config::default() };
    let outcome = tested(&loaded, function, precondition, config).expect("it can be tested");
    let time = outcome.exploring;
    println!("{branches:8} {:>10} {:>9.2} µs", milliseconds(time), time.as_secs_f64() * 1e6 / f64::from(branches));
}

fn tested<'p>(
    loaded: &'p Loaded,
    function: FunctionId,
    precondition: Precondition,
    config: Config,
) -> Result<Outcome<'p>, session::Error> {
    let natives = Natives::new(&loaded.program, &loaded.builds, &[function], &config, false).side_by_side(2);
    let request = Request { program: &loaded.program, natives: &natives, function, precondition, config };
    session::run(&request, &mut |_| {})
}

fn milliseconds(time: Duration) -> String {
    format!("{:.0} ms", time.as_secs_f64() * 1e3)
}
