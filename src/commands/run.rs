//! `clew run`: interpret a whole program.

use super::source;
use crate::cli::{CheckName, RunArguments};
use crate::status::Status;
use crate::terminal::Terminal;
use clew_execute::{Checks, Failure, Io, Limits, Options, Outcome, Stream, interpret};
use clew_frontend::Diagnostic;
use clew_ir::{CheckKind, Program};
use std::io::{Read, Write};

/// The streams of the process.
struct Process;

impl Io for Process {
    fn write(&mut self, stream: Stream, bytes: &[u8]) {
        // A reader that went away does not concern the program.
        let _ = match stream {
            Stream::Out => std::io::stdout().lock().write_all(bytes),
            Stream::Err => std::io::stderr().lock().write_all(bytes),
        };
    }

    fn read(&mut self, buffer: &mut [u8]) -> usize {
        std::io::stdin().lock().read(buffer).unwrap_or(0)
    }
}

pub(super) fn run(arguments: &RunArguments, terminal: Terminal) -> Result<Status, Status> {
    let loaded = source::load(&arguments.source, &[], terminal)?;
    let main = source::function(&loaded.program, "main", terminal)?;
    let name = arguments.source.files[0].display().to_string();
    let args: Vec<&str> = std::iter::once(name.as_str()).chain(arguments.args.iter().map(String::as_str)).collect();
    let base = if arguments.strict { Checks::ALL } else { Checks::RUN };
    let options = Options {
        limits: Limits { steps: arguments.steps, ..Limits::default() },
        checks: arguments.without.iter().fold(base, |checks, name| without(checks, *name)),
    };
    let outcome = interpret(&loaded.program, main, &args, &options, &mut Process);
    let _ = std::io::stdout().flush();
    Ok(report(&loaded.program, &outcome, terminal))
}

/// The checks but for one.
fn without(checks: Checks, name: CheckName) -> Checks {
    let kind = match name {
        CheckName::Overflow => CheckKind::Overflow,
        CheckName::Shift => CheckKind::Shift,
        CheckName::Index => CheckKind::Index,
        CheckName::PointerArithmetic => CheckKind::PointerArithmetic,
        CheckName::PointerDifference => CheckKind::PointerDifference,
        CheckName::FloatToInt => CheckKind::FloatToInt,
        CheckName::Uninitialised => return checks.without_uninitialised(),
    };
    checks.without(kind)
}

/// Says how the program ended, unless it ended by itself.
fn report(program: &Program, outcome: &Outcome, terminal: Terminal) -> Status {
    match outcome {
        Outcome::Exited(status) => return Status::Program(*status as u8),
        Outcome::Returned(_) => return Status::Fine,
        Outcome::Aborted => {
            terminal.error("the program called abort");
            return Status::Program(134);
        }
        Outcome::Failed(failure) => {
            terminal.diagnostics(&[finding(program, failure)], &program.sources);
            return Status::Findings;
        }
        Outcome::Unsupported(unsupported) => {
            let message = format!("{} is not supported", unsupported.what);
            terminal.diagnostics(&[Diagnostic::unsupported(unsupported.span, message)], &program.sources);
        }
        Outcome::StepLimit => terminal.error("the program was stopped: it used up its steps (--steps gives more)"),
        Outcome::MemoryLimit => terminal.error("the program was stopped: it asked for more memory than is allowed"),
        Outcome::DepthLimit => terminal.error("the program was stopped: its calls are nested too deeply"),
    }
    Status::Limit
}

/// A failed check as a diagnostic: what, with which values, and how control came there.
fn finding(program: &Program, failure: &Failure) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(failure.span, failure.describe(program));
    for site in failure.stack.iter().skip(1) {
        let name = &program.functions[site.function].name;
        diagnostic = diagnostic.with_label(site.span, format!("called from here, in `{name}`"));
    }
    diagnostic
}
