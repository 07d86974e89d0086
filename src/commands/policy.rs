//! `clew policy`: the heuristics of all engines, row by row; and `--tune`, which changes them for experiments.

use crate::status::Status;
use crate::terminal::Terminal;
use clew_policy::{Table, TuneError};
use std::fmt::Write as _;

/// The tables of all engines.
fn tables() -> Vec<&'static Table> {
    let engines = clew_session::policy::TABLES.iter().copied();
    engines.chain([&clew_rules::policy::POLICY]).collect()
}

/// Sets rows by `CLEW_TUNE`, then by the command line.
pub(crate) fn tune(settings: &[String]) -> Result<(), TuneError> {
    let tables = tables();
    clew_policy::tune_from_environment(&tables)?;
    settings.iter().try_for_each(|setting| clew_policy::tune(&tables, setting))
}

pub(super) fn run(terminal: Terminal) -> Result<Status, Status> {
    let mut text = String::new();
    for table in tables() {
        for row in table.rows() {
            let (least, most) = row.range();
            let (engine, name, value) = (table.engine(), row.name(), row.get());
            let changed = if value == row.default() { String::new() } else { format!(" (default {})", row.default()) };
            let _ = writeln!(text, "{engine}.{name}={value}{changed}  [{least}..{most}]");
            let _ = writeln!(text, "    {} Evidence: {}.", row.meaning(), row.evidence());
        }
    }
    terminal.print(&text);
    Ok(Status::Fine)
}
