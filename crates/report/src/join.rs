//! Files for other tools over many suites: those that each suite has, joined into one of each form.
//!
//! Joining works on the files, because suites come from other processes and machines: it understands what
//! [`interchange`](crate::interchange) writes. The order of the suites does not matter for coverage; findings and tests stand
//! in the order of the suites. Cobertura and test inputs are not joined: tools take them suite by suite.

mod junit;
mod lcov;
mod sarif;

use clew_session::output::{self, WriteError};
use std::path::Path;

/// Joins the texts of several suites.
type Join = fn(&[String]) -> String;

/// The files that are joined.
const FILES: [(&str, Join); 3] =
    [("coverage.info", lcov::join), ("findings.sarif", sarif::join), ("junit.xml", junit::join)];

/// Joins the files of some directories of a project into one of each form; nothing where no suite has the form.
///
/// # Errors
/// If a file cannot be written.
pub fn write(out: &Path, directories: &[&str]) -> Result<(), WriteError> {
    for (name, join) in FILES {
        let read = |directory: &&str| std::fs::read_to_string(out.join(directory).join(name)).ok();
        let texts: Vec<String> = directories.iter().filter_map(read).collect();
        if !texts.is_empty() {
            output::write(&out.join(name), join(&texts))?;
        }
    }
    Ok(())
}
