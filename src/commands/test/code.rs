//! Test code of a whole source file of a project, once all of its functions are tested.
//!
//! Their tests share a program. Where that does not pass as it was written, each function has a program of its own, so
//! that one does not cost the others their tests.

use super::verify;
use crate::cli::OutputArguments;
use crate::terminal::{Paint, Terminal};
use clew_emit::directory::{self, Binary, Layout, Tests};
use clew_emit::{joined, stored};
use clew_frontend::Loaded;
use clew_session::output::WriteError;
use clew_session::project::worker::Red;
use std::path::Path;
use std::process::Command;

/// Writes the test code of functions from the tests kept in their directories; gives those whose code does not pass.
pub(super) fn write(
    loaded: &Loaded,
    functions: &[String],
    (arguments, layout): (&OutputArguments, &Layout),
    out: &Path,
) -> Result<Red, WriteError> {
    let program = &loaded.program;
    let tests: Vec<Tests> = functions.iter().flat_map(|name| stored::read(program, &out.join(name))).collect();
    functions.iter().for_each(|name| directory::clear_all(&out.join(name)));
    let code = directory::write(loaded, &tests, layout, out)?;
    if verify::of_worker(&code, arguments).is_none() {
        return Ok(Red::new());
    }
    let layout = Layout { binary: Binary::Function, ..layout.clone() };
    let code = directory::write(loaded, &tests, &layout, out)?;
    let mut red = Red::new();
    for (program, reason) in verify::failures(&code, arguments) {
        if let Some(function) = functions.iter().find(|function| directory::is_of(&program, function)) {
            red.entry(function.clone()).or_insert(reason);
        }
    }
    Ok(red)
}

/// Makes one program of those of all files where that is asked for; gives whether it passes as far as that can be told.
pub(super) fn join(
    directories: &[String],
    (arguments, layout): (&OutputArguments, &Layout),
    out: &Path,
    terminal: Terminal,
) -> Result<bool, WriteError> {
    if layout.binary != Binary::Project {
        return Ok(true);
    }
    joined::write(&joined::find(directories, &layout.frameworks, out), out)?;
    if arguments.no_verify {
        return Ok(true);
    }
    let made = Command::new("make").args(["-s", "check_all_tests"]).env_remove("MAKEFLAGS").current_dir(out).output();
    let failed = made.as_ref().ok().filter(|made| !made.status.success());
    if let Some(made) = failed {
        terminal.say(&terminal.paint(Paint::Red, "✗ the program of all tests does not pass:"));
        let said = String::from_utf8_lossy(&made.stderr);
        said.lines()
            .filter(|line| line.contains("rror"))
            .take(12)
            .for_each(|line| terminal.say(&format!("    {line}")));
    }
    Ok(failed.is_none())
}
