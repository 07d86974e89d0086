//! `clew diff`: what is different between two suites, or between two versions of a source on the tests of one.

use super::source;
use crate::cli::{DiffArguments, SummaryForm};
use crate::status::Status;
use crate::terminal::{Paint, Terminal};
use clew_frontend::{Loaded, Options};
use clew_ir::FunctionId;
use clew_session::suite::changes::{Change, Changes, Expectation, Kind, between, replayed};
use clew_session::suite::{FunctionSuite, Suite, raw, value};
use clew_session::{Natives, given};
use clew_symbolic::config::Config;
use std::path::Path;

pub(super) fn run(arguments: &DiffArguments, terminal: Terminal) -> Result<Status, Status> {
    let is_source = |path: &Path| path.extension().is_some_and(|extension| extension == "c" || extension == "i");
    let changes = match (is_source(&arguments.old), is_source(&arguments.new)) {
        (false, false) => between(&read(&arguments.old, terminal)?, &read(&arguments.new, terminal)?),
        (true, true) => of_sources(arguments, terminal)?,
        _ => {
            terminal.error("both must be suites, or both C files");
            return Err(Status::BadInput);
        }
    };
    if arguments.summary == Some(SummaryForm::Json) {
        let text = serde_json::to_string_pretty(&changes).expect("changes are made of strings and numbers");
        terminal.print(&format!("{text}\n"));
    } else {
        changes.changes.iter().for_each(|change| tell(change, terminal));
        let count = |kind| changes.count(kind);
        terminal.say(&format!(
            "{} tests expect the same, {} something else; {} appeared, {} vanished",
            changes.same,
            count(Kind::Changed),
            count(Kind::Appeared),
            count(Kind::Vanished)
        ));
    }
    Ok(if changes.changes.is_empty() { Status::Fine } else { Status::Findings })
}

fn read(path: &Path, terminal: Terminal) -> Result<Suite, Status> {
    given::read(path).map_err(|reason| {
        terminal.error(&format!("cannot read {}: {reason}", path.display()));
        Status::BadInput
    })
}

/// The tests of a suite on two versions of their source.
fn of_sources(arguments: &DiffArguments, terminal: Terminal) -> Result<Changes, Status> {
    let suite = read(&arguments.suite, terminal)?;
    let made = suite.made.clone().unwrap_or_default();
    let load = |file: &Path| {
        let passthrough = if arguments.cc_flags.is_empty() { made.flags.clone() } else { arguments.cc_flags.clone() };
        let cc = (!made.compiler.is_empty()).then(|| made.compiler.join(" "));
        source::load_with(&Options { library: true, passthrough, cc, ..Options::file(file) }, terminal)
    };
    let (old, new) = (load(&arguments.old)?, load(&arguments.new)?);
    let mut changes = Changes::default();
    // All functions that both versions have are in one build of each.
    let in_both =
        suite.functions.iter().filter_map(|function| Some((defined(&old, function)?, defined(&new, function)?)));
    let (olds, news): (Vec<FunctionId>, Vec<FunctionId>) = in_both.unzip();
    let (of_old, of_new) = (natives(&old, &olds), natives(&new, &news));
    for function in &suite.functions {
        let (Some(before), Some(after)) = (defined(&old, function), defined(&new, function)) else {
            let name = &function.name;
            terminal.say(&format!("{} {name}: not in both files", terminal.paint(Paint::Yellow, "?")));
            continue;
        };
        let before = shown(&old, (before, &of_old), function, terminal)?;
        let after = shown(&new, (after, &of_new), function, terminal)?;
        for ((test, before), after) in function.tests.iter().zip(before).zip(after) {
            if before.is_some() || after.is_some() {
                changes.note((&function.name, test), before, after);
            }
        }
    }
    Ok(changes)
}

/// One build of some functions.
fn natives<'p>(loaded: &'p Loaded, functions: &[FunctionId]) -> Natives<'p> {
    Natives::new(&loaded.program, &loaded.builds, functions, &Config::default(), false)
}

fn defined(loaded: &Loaded, function: &FunctionSuite) -> Option<FunctionId> {
    loaded.program.function(&function.name).filter(|id| loaded.program.functions[*id].is_defined())
}

/// What the tests of a function do in one version.
fn shown(
    loaded: &Loaded,
    (id, natives): (FunctionId, &Natives<'_>),
    function: &FunctionSuite,
    terminal: Terminal,
) -> Result<Vec<Option<Expectation>>, Status> {
    let program = &loaded.program;
    let reader = raw::Reader::new(program);
    let inputs: Vec<_> = function.tests.iter().map(|test| reader.input(&test.raw)).collect();
    replayed(program, natives, id, &inputs).map_err(|error| {
        terminal.error(&format!("cannot run `{}`: {error}", function.name));
        Status::BadInput
    })
}

/// Says what became of a test.
fn tell(change: &Change, terminal: Terminal) {
    let (paint, mark, word) = match change.kind {
        Kind::Appeared => (Paint::Green, "+", "appeared"),
        Kind::Vanished => (Paint::Red, "-", "vanished"),
        Kind::Changed => (Paint::Yellow, "~", "changed"),
    };
    let inputs: Vec<String> = change.inputs.iter().map(typed).collect();
    let (mark, name) = (terminal.paint(paint, mark), terminal.paint(Paint::Bold, &change.function));
    terminal.say(&format!("{mark} {name} {} {word}: with {}", change.input, inputs.join(", ")));
    if let (Some(old), Some(new)) = (&change.old, &change.new) {
        if old.ending != new.ending {
            terminal.say(&format!("    ended: {} -> {}", old.ending, new.ending));
        }
        if old.result != new.result {
            let said =
                |result: &Option<serde_json::Value>| result.as_ref().map_or("nothing".to_owned(), |it| it.to_string());
            terminal.say(&format!("    returned: {} -> {}", said(&old.result), said(&new.result)));
        }
        for output in old.outputs.iter().filter(|output| !new.outputs.contains(output)) {
            let other = new.outputs.iter().find(|other| other.name == output.name);
            let other = other.map_or("nothing".to_owned(), |other| other.value.to_string());
            terminal.say(&format!("    {}: {} -> {other}", output.name, output.value));
        }
    }
}

fn typed(input: &value::Typed) -> String {
    format!("{} = {}", input.name, input.value)
}
