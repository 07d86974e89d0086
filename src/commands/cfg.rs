//! `clew cfg`: the control-flow graph of a function.

use super::source;
use crate::cli::CfgArguments;
use crate::status::Status;
use crate::terminal::Terminal;
use clew_analyze::cfg::Drawing;

pub(super) fn run(arguments: &CfgArguments, terminal: Terminal) -> Result<Status, Status> {
    let loaded = source::load(&arguments.source, &arguments.cc_flags, terminal)?;
    let function = source::function(&loaded.program, &arguments.function, terminal)?;
    let drawing = Drawing::new(&loaded.program, function);
    terminal.print(&if arguments.svg { drawing.svg() } else { drawing.dot() });
    Ok(Status::Fine)
}
