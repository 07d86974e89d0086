//! Instructions of the IR executed per second, on programs that stress one thing each.
//!
//! `cargo bench -p clew-execute`; a row per program of `benches/programs`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use clew_execute::{Captured, Checks, Image, Limits, Machine, Outcome, Silent};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Runs of each program; the fastest counts.
const RUNS: usize = 3;

fn main() {
    let mut total = (0, Duration::ZERO);
    for path in programs() {
        let (steps, time) = measure(&path);
        total = (total.0 + steps, total.1 + time);
        row(&path.file_stem().unwrap_or_default().to_string_lossy(), steps, time);
    }
    row("all", total.0, total.1);
}

fn row(name: &str, steps: u64, time: Duration) {
    let rate = steps as f64 / time.as_secs_f64() / 1e6;
    println!("{name:12} {steps:12} instructions {:8.1} ms {rate:8.1} million/s", time.as_secs_f64() * 1e3);
}

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/programs");
    let entries = std::fs::read_dir(folder).expect("the folder of programs is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    files.sort();
    files
}

fn measure(path: &Path) -> (u64, Duration) {
    let loaded = clew_frontend::load(&clew_frontend::Options::file(path)).expect("the program can be read");
    let main = loaded.program.function("main").expect("the program has a main function");
    let image = Image::new(&loaded.program, Checks::ALL);
    let runs = (0..RUNS).map(|_| {
        let mut io = Captured::default();
        let limits = Limits { steps: u64::MAX, ..Limits::default() };
        let mut machine = Machine::new(&image, limits, &mut io, Silent);
        let start = Instant::now();
        let outcome = machine.run_main(main, &["program"]);
        let time = start.elapsed();
        assert_eq!(outcome, Outcome::Exited(0), "{}", path.display());
        (machine.steps(), time)
    });
    runs.min_by_key(|run| run.1).expect("there is at least one run")
}
