//! The command line of clew.
//!
//! Arguments are read in two stages: [`cli`] gives them types, each command in [`commands`] gives them meaning. A command
//! ends with a [`Status`], and nothing else decides the exit code.

#![allow(rustdoc::broken_intra_doc_links, reason = "help texts of options speak of elements as `a[*]`")]

mod cli;
mod commands;
mod interrupt;
mod status;
mod terminal;

use status::Status;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match cli::parse() {
        Ok(arguments) => arguments,
        Err(status) => return status.into(),
    };
    interrupt::leave_nothing_behind();
    let terminal = terminal::Terminal::new(arguments.color);
    if let Err(error) = commands::tune(&arguments.tune) {
        terminal.error(&error.to_string());
        return Status::BadInput.into();
    }
    match std::panic::catch_unwind(|| commands::run(&arguments.command, &terminal)) {
        Ok(status) => status.into(),
        Err(_) => {
            terminal
                .error("this is a mistake in clew, not in your program; please report it with the file that shows it");
            Status::Internal.into()
        }
    }
}
