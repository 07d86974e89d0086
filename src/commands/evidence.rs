//! `clew evidence`: what an assessor asks for.

use crate::cli::EvidenceArguments;
use crate::status::Status;
use crate::terminal::Terminal;
use clew_report::evidence::{self, Measurement};
use clew_session::output;

pub(super) fn run(arguments: &EvidenceArguments, terminal: Terminal) -> Result<Status, Status> {
    let failed = |error: &dyn std::fmt::Display| {
        terminal.error(&error.to_string());
        Status::BadInput
    };
    let evidence = evidence::collect(&arguments.directory, !arguments.no_measure).map_err(|error| failed(&error))?;
    let directory = arguments.directory.join("evidence");
    std::fs::create_dir_all(&directory).map_err(|error| failed(&error))?;
    for (name, text) in [("evidence.json", evidence.json()), ("evidence.md", evidence.markdown())] {
        output::write(&directory.join(name), &text).map_err(|error| failed(&error))?;
    }
    for measurement in &evidence.measurements {
        if let Measurement::NotMeasured { tool, why } = measurement {
            terminal.say(&format!("not measured by {tool}: {why}"));
        }
    }
    for line in evidence.disagreements() {
        terminal.error(&format!(
            "{}:{}: {} of {} objectives are claimed to be covered and {} infeasible, but {} of {} were measured",
            line.function, line.line, line.covered, line.objectives, line.infeasible, line.taken, line.branches
        ));
    }
    terminal.say(&format!("evidence in {}: evidence.md, evidence.json", directory.display()));
    Ok(if evidence.disagreements().next().is_some() { Status::Findings } else { Status::Fine })
}
