//! Runs C files: `run FILE.c ... [-I DIR] [-D NAME] [-- ARGS]`. Prints what they print and how the run ended; with
//! `CLEW_SPEED` set also how many instructions per second were executed. `CLEW_CHECKS` may be `all` or `lenient` (what
//! was never written may be read).

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example speaks to the terminal")]

use clew_execute::{Captured, Checks, Image, Limits, Machine, Outcome, Silent};
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let (options, args) = arguments();
    let loaded = match clew_frontend::load(&options) {
        Ok(loaded) => loaded,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    for diagnostic in &loaded.diagnostics {
        eprintln!("{diagnostic:?}");
    }
    let program = &loaded.program;
    let Some(main) = program.function("main") else {
        eprintln!("no main");
        return ExitCode::from(2);
    };
    let checks = match std::env::var("CLEW_CHECKS").as_deref() {
        Ok("all") => Checks::ALL,
        Ok("lenient") => Checks::RUN.without_uninitialised(),
        _ => Checks::RUN,
    };
    let image = Image::new(program, checks);
    let mut io = Captured::default();
    let limits = Limits { steps: 20_000_000_000, ..Limits::default() };
    let start = Instant::now();
    let mut machine = Machine::new(&image, limits, &mut io, Silent);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = machine.run_main(main, &args);
    let (steps, time) = (machine.steps(), start.elapsed());
    drop(machine);
    let _ = std::io::stdout().write_all(&io.out);
    let _ = std::io::stderr().write_all(&io.err);
    if std::env::var_os("CLEW_SPEED").is_some() {
        let rate = steps as f64 / time.as_secs_f64() / 1e6;
        println!("{steps} instructions in {time:?}: {rate:.1} million per second");
    }
    report(program, &outcome)
}

fn report(program: &clew_ir::Program, outcome: &Outcome) -> ExitCode {
    let place = |span| match program.sources.locate(span) {
        Some(location) => format!("{}:{}:{}", location.file, location.line, location.column),
        None => "?".to_owned(),
    };
    match outcome {
        Outcome::Exited(code) => return ExitCode::from(*code as u8),
        Outcome::Failed(failure) => {
            eprintln!("{}: {}", place(failure.span), failure.describe(program));
            for site in &failure.stack {
                eprintln!("  in {} at {}", program.functions[site.function].name, place(site.span));
            }
        }
        Outcome::Unsupported(unsupported) => eprintln!("{}: {}", place(unsupported.span), unsupported.what),
        other => eprintln!("{other:?}"),
    }
    ExitCode::from(100)
}

/// Files and flags for the front end, and the program's own arguments.
fn arguments() -> (clew_frontend::Options, Vec<String>) {
    let mut options = clew_frontend::Options::default();
    let mut words = std::env::args().skip(1);
    let mut args = vec!["a.out".to_owned()];
    while let Some(word) = words.next() {
        if word == "--" {
            args.extend(words);
            break;
        } else if let Some(define) = word.strip_prefix("-D") {
            options.defines.push(define.to_owned());
        } else if let Some(include) = word.strip_prefix("-I") {
            options.includes.push(include.into());
        } else {
            options.files.push(word.into());
        }
    }
    (options, args)
}
