//! Programs of csmith print the same checksum interpreted as compiled with `cc -O0`.
//!
//! Slow, so behind a variable: `CLEW_CSMITH=1..100 cargo test -p clew-execute --test csmith` runs those seeds,
//! with the flags of `CLEW_CSMITH_FLAGS` (such as `--float`). It needs csmith and its headers.

use clew_execute::{Captured, Limits, Options, Outcome, interpret};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Seconds a compiled program may take; programs that take longer do not count.
const NATIVE_SECONDS: &str = "5";
/// Instructions an interpreted program may take.
const STEPS: u64 = 20_000_000_000;
/// Where Debian puts the headers.
const HEADERS: &str = "/usr/include/csmith";

#[test]
fn checksums_agree() {
    let Ok(seeds) = std::env::var("CLEW_CSMITH") else { return };
    if Command::new("csmith").arg("--version").output().is_err() {
        return clew_testing::missing("csmith");
    }
    let (first, last) = seeds.split_once("..").expect("CLEW_CSMITH is FIRST..LAST");
    let [first, last] = [first, last].map(|seed| seed.parse::<u32>().expect("a seed is a number"));
    let mut counts = [0; 3];
    for seed in first..=last {
        let path = generate(seed);
        let Some(expected) = native(&path) else {
            counts[0] += 1;
            continue;
        };
        match interpreted(&path) {
            (Outcome::StepLimit, _) => counts[1] += 1,
            (outcome, printed) => {
                assert_eq!((outcome, printed), (Outcome::Exited(0), expected), "seed {seed}");
                counts[2] += 1;
            }
        }
    }
    let [slow, limited, same] = counts;
    println!("{same} agree, {limited} over the step limit, {slow} too slow natively");
    assert!(limited * 50 <= same + limited, "at most two in a hundred may hit the step limit");
}

fn output(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn generate(seed: u32) -> PathBuf {
    let flags = std::env::var("CLEW_CSMITH_FLAGS").unwrap_or_default();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("csmith{seed}.c"));
    // csmith leaves a file of its own where it is run.
    let mut csmith = Command::new("csmith");
    csmith.current_dir(folder).arg("--seed").arg(seed.to_string()).args(flags.split_whitespace());
    let program = output(&mut csmith);
    std::fs::write(&path, program.stdout).expect("the directory for temporary files can be written");
    path
}

/// What the compiled program prints, if it ends in time.
fn native(path: &Path) -> Option<Vec<u8>> {
    let binary = path.with_extension("out");
    let compiled = output(Command::new("cc").args(["-O0", "-w", "-I", HEADERS, "-o"]).arg(&binary).arg(path));
    assert!(compiled.status.success(), "cc compiles {}", path.display());
    let run = output(Command::new("timeout").arg(NATIVE_SECONDS).arg(&binary));
    run.status.success().then_some(run.stdout)
}

fn interpreted(path: &Path) -> (Outcome, Vec<u8>) {
    let source = clew_frontend::Options { includes: vec![HEADERS.into()], ..clew_frontend::Options::file(path) };
    let loaded = clew_frontend::load(&source).expect("the program can be read");
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    let main = loaded.program.function("main").expect("the program has a main function");
    let options = Options { limits: Limits { steps: STEPS, ..Limits::default() }, ..Options::default() };
    let mut io = Captured::default();
    let outcome = interpret(&loaded.program, main, &["program"], &options, &mut io);
    (outcome, io.out)
}
