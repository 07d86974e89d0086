//! Each program of `tests/programs` prints the same and exits alike, interpreted and compiled.

use super::{files, load, run_under};
use clew_execute::{Checks, Outcome};
use std::path::Path;
use std::process::Command;

#[test]
fn programs_run_as_they_do_natively() {
    let files = files("programs");
    assert!(!files.is_empty(), "there are programs to run");
    for path in files {
        let (status, printed) = native(&path);
        let (outcome, io) = run_under(&load(&path), Checks::RUN);
        assert_eq!(outcome, Outcome::Exited(status), "{}", path.display());
        assert_same(&path, &printed, &io.out);
    }
}

fn native(path: &Path) -> (i32, Vec<u8>) {
    let stem = path.file_stem().expect("a C file has a name");
    let binary = Path::new(env!("CARGO_TARGET_TMPDIR")).join(stem);
    let compiled = Command::new("cc").arg("-w").arg("-o").arg(&binary).arg(path).arg("-lm").status();
    assert!(compiled.expect("cc can be started").success(), "cc compiles {}", path.display());
    let output = Command::new(&binary).output().expect("the program can be started");
    (output.status.code().expect("the program exits"), output.stdout)
}

fn assert_same(path: &Path, native: &[u8], interpreted: &[u8]) {
    let (native, interpreted) = (String::from_utf8_lossy(native), String::from_utf8_lossy(interpreted));
    for (number, (expected, actual)) in native.lines().zip(interpreted.lines()).enumerate() {
        assert_eq!(expected, actual, "{}, line {} of the output", path.display(), number + 1);
    }
    assert_eq!(native, interpreted, "{}", path.display());
}
