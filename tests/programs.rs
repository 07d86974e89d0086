//! C programs give the same output and exit status under the interpreter as under the C compiler.
//!
//! Every file of `tests/programs` is one program that exercises a family of constructs; its first comment says which.

use clew_execute::{Captured, Outcome, interpret};
use clew_frontend::{Options, load};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a run gives.
#[derive(Debug, PartialEq, Eq)]
struct Run {
    output: String,
    status: i32,
}

fn native(source: &Path, directory: &Path) -> Run {
    let program = directory.join(source.file_stem().expect("a source file has a name"));
    let compiled = Command::new("cc").args(["-O0", "-w", "-o"]).arg(&program).arg(source).arg("-lm").status();
    assert!(compiled.expect("a C compiler is installed").success(), "cc refused {}", source.display());
    let output = Command::new(&program).output().expect("the program starts");
    Run {
        output: String::from_utf8_lossy(&output.stdout).into_owned(),
        status: output.status.code().expect("the program exits"),
    }
}

fn interpreted(source: &Path) -> Run {
    let loaded = load(&Options::file(source)).expect("the front end can read the file");
    assert_eq!(loaded.diagnostics, [], "diagnostics for {}", source.display());
    assert_eq!(clew_ir::verify::verify(&loaded.program), [], "broken rules in {}", source.display());
    let main = loaded.program.function("main").expect("the program has a main function");
    let mut io = Captured::default();
    let outcome = interpret(&loaded.program, main, &["program"], &clew_execute::Options::default(), &mut io);
    let Outcome::Exited(status) = outcome else {
        panic!("{} ended with {outcome:?} after {}", source.display(), String::from_utf8_lossy(&io.out))
    };
    Run { output: String::from_utf8_lossy(&io.out).into_owned(), status }
}

#[test]
fn interpreter_agrees_with_the_compiler() {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(sources).expect("the folder exists").map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        assert_eq!(interpreted(&file), native(&file, &directory), "{}", file.display());
    }
}
