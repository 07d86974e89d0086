//! The interpreter against the C compiler, and its reports and observers on small programs.

mod agree;
mod failures;
mod narrow;
mod native;
mod observers;
mod prepared;
mod text;

use clew_execute::{Captured, Checks, Image, Limits, Machine, Outcome, Silent};
use clew_ir::Program;
use std::path::Path;

/// The program of a C file, which must be free of diagnostics.
fn load(path: &Path) -> Program {
    let loaded = clew_frontend::load(&clew_frontend::Options::file(path)).expect("the file can be read");
    assert!(loaded.diagnostics.is_empty(), "{}: {:?}", path.display(), loaded.diagnostics);
    loaded.program
}

/// The program of a C text.
fn program(name: &str, text: &str) -> Program {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the directory for temporary files can be written");
    load(&path)
}

/// Runs `main` under all checks and gives how it ended and what it printed.
fn run(program: &Program) -> (Outcome, Captured) {
    run_under(program, Checks::ALL)
}

fn run_under(program: &Program, checks: Checks) -> (Outcome, Captured) {
    let main = program.function("main").expect("the program has a main function");
    let image = Image::new(program, checks);
    let mut io = Captured::default();
    let outcome = Machine::new(&image, Limits::default(), &mut io, Silent).run_main(main, &["program"]);
    (outcome, io)
}

/// The C files of a folder beside the tests, in order.
fn files(folder: &str) -> Vec<std::path::PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder of test programs is there");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    files
}
