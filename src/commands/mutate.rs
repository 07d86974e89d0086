//! `clew mutate`: how good a suite is, and which changes of the source it does not notice.

mod command;

use super::source;
use crate::cli::{MutateArguments, SummaryForm};
use crate::status::Status;
use crate::terminal::{Paint, Terminal};
use clew_frontend::{Diagnostic, Loaded, Options};
use clew_ir::FunctionId;
use clew_session::given::{self, Given};
use clew_session::suite::Suite;
use clew_session::suite::made::Made;
use clew_session::suite::mutants::MutantCases;
use clew_session::{Kills, Natives, measure, output};
use clew_symbolic::config::Config;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What was measured, for tools.
#[derive(Serialize)]
struct Report {
    generator: String,
    functions: Vec<FunctionReport>,
}

/// What was measured of one function.
#[derive(Serialize)]
struct FunctionReport {
    name: String,
    tests: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mutants: Option<MutantCases>,
}

pub(super) fn run(arguments: &MutateArguments, terminal: Terminal) -> Result<Status, Status> {
    if let Some(command) = &arguments.command {
        return command::measure(arguments, command, terminal);
    }
    let refuse = |reason: String| refuse(terminal, &reason);
    let path = arguments.suite.as_path();
    let suite = given::read(path).map_err(|reason| refuse(format!("cannot read {}: {reason}", path.display())))?;
    let loaded =
        source::load_with(&options(arguments, suite.made.clone().unwrap_or_default()).map_err(refuse)?, terminal)?;
    let functions = functions(arguments, &suite, &loaded, terminal)?;
    let report = measured(arguments, &suite, &loaded, &functions, terminal)?;
    finish(arguments, &report, terminal)
}

fn refuse(terminal: Terminal, reason: &str) -> Status {
    terminal.error(reason);
    Status::BadInput
}

/// Writes the report.
fn finish(arguments: &MutateArguments, report: &Report, terminal: Terminal) -> Result<Status, Status> {
    let refuse = |reason: String| refuse(terminal, &reason);
    let path = arguments.suite.as_path();
    let text = serde_json::to_string_pretty(report).expect("a report is made of strings and numbers");
    // The mark stands in the first line of what is ours.
    let text = text.replacen("{\n  \"generator\"", "{ \"generator\"", 1) + "\n";
    if arguments.command.is_some() {
        std::fs::create_dir_all(path).map_err(|error| refuse(error.to_string()))?;
    }
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new(".")) };
    let file = folder.join("mutants.json");
    output::write(&file, &text).map_err(|error| refuse(error.to_string()))?;
    if arguments.summary == Some(SummaryForm::Json) {
        terminal.print(&text);
    } else {
        terminal.say(&format!("all mutants, and which tests kill them: {}", file.display()));
    }
    let is_whole =
        |function: &FunctionReport| function.mutants.as_ref().is_some_and(|mutants| mutants.killed == mutants.all);
    Ok(if report.functions.iter().all(is_whole) { Status::Fine } else { Status::Findings })
}

/// How the program is read: by default as when the suite was made.
fn options(arguments: &MutateArguments, made: Made) -> Result<Options, String> {
    let sources = made.sources.iter().map(|source| PathBuf::from(&source.file));
    let is_c = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "c" || extension == "i");
    let files = match arguments.file.as_slice() {
        [] => sources.filter(is_c).collect(),
        named => named.to_vec(),
    };
    if files.is_empty() {
        return Err("the suite does not say what it was made from; name the files with `--file`".to_owned());
    }
    let passthrough = if arguments.cc_flags.is_empty() { made.flags } else { arguments.cc_flags.clone() };
    let cc = (!made.compiler.is_empty()).then(|| made.compiler.join(" "));
    Ok(Options { files, library: true, passthrough, cc, ..Options::default() })
}

/// The functions of the suite that are asked for.
fn functions(
    arguments: &MutateArguments,
    suite: &Suite,
    loaded: &Loaded,
    terminal: Terminal,
) -> Result<Vec<FunctionId>, Status> {
    let is_asked = |name: &&String| arguments.function.is_empty() || arguments.function.contains(name);
    let names = suite.functions.iter().map(|function| &function.name).filter(is_asked);
    let found: Vec<FunctionId> =
        names.map(|name| source::function(&loaded.program, name, terminal)).collect::<Result<_, _>>()?;
    if found.is_empty() {
        terminal.error(&format!("{} has no tests of such a function", arguments.suite.display()));
        return Err(Status::BadInput);
    }
    Ok(found)
}

/// Measures functions one after the other, and says what survives.
fn measured(
    arguments: &MutateArguments,
    suite: &Suite,
    loaded: &Loaded,
    functions: &[FunctionId],
    terminal: Terminal,
) -> Result<Report, Status> {
    let program = &loaded.program;
    let natives = Natives::new(program, &loaded.builds, functions, &Config::default(), false);
    let mut report = Report { generator: suite.generator.clone(), functions: Vec::new() };
    for &function in functions {
        let given = Given::read(program, function, &arguments.suite)
            .map_err(|diagnostic| terminal.refuse(&diagnostic, &program.sources))?;
        let kills = measure(program, &natives, function, &given.inputs, arguments.matrix);
        let kills = kills.map_err(|error| error.to_string());
        let unfit = given.unfit;
        say(loaded, function, (given.inputs.len(), unfit), &kills, terminal);
        report.functions.push(FunctionReport {
            name: program.functions[function].name.clone(),
            tests: given.inputs.len(),
            mutants: kills.as_ref().ok().map(|kills| MutantCases::of(program, kills)),
            error: kills.err(),
        });
    }
    Ok(report)
}

/// Shows what survives, in the source.
fn say(
    loaded: &Loaded,
    function: FunctionId,
    (tests, unfit): (usize, usize),
    kills: &Result<Kills, String>,
    terminal: Terminal,
) {
    let program = &loaded.program;
    let name = &program.functions[function].name;
    if unfit > 0 {
        terminal.say(&format!("{name}: {unfit} tests do not fit the program and are left out"));
    }
    let kills = match kills {
        Ok(kills) => kills,
        Err(error) => return terminal.error(&format!("cannot measure `{name}`: {error}")),
    };
    let survivors = kills.mutants.iter().zip(&kills.by).zip(&kills.reached).filter(|((_, by), _)| by.is_empty());
    let shown = survivors.map(|((mutant, _), reached)| {
        let what = if mutant.text.is_empty() {
            "no test notices when this is left out".to_owned()
        } else {
            format!("no test notices `{}` here", mutant.text)
        };
        let diagnostic = Diagnostic::warning(mutant.span, what);
        if *reached { diagnostic } else { diagnostic.with_note("no test comes here".to_owned()) }
    });
    terminal.diagnostics(&shown.collect::<Vec<_>>(), &program.sources);
    let (killed, all) = (kills.killed(), kills.mutants.len());
    let counts = kills.by_operator().into_iter().map(|(operator, killed, all)| format!("{operator} {killed}/{all}"));
    let counts: Vec<String> = counts.collect();
    let percent = (killed * 100).checked_div(all).unwrap_or(100);
    let name = terminal.paint(Paint::Bold, name);
    terminal.say(&format!("{name}  {tests} tests kill {killed} of {all} mutants ({percent} %): {}", counts.join(", ")));
    if !kills.unmeasured.is_empty() {
        let not = kills.unmeasured.len();
        terminal.say(&format!("  {not} tests do something else in the build with mutants and count for nothing"));
    }
}
