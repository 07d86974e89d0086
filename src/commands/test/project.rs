//! `clew test` for a whole project: what is said while it runs and at its end.

use super::queued::{self, Queued};
use super::{code, write};
use crate::cli::{DenyName, SummaryForm, TestArguments};
use crate::status::Status;
use crate::terminal::{Paint, Terminal};
use clew_cluster::{Access, tool};
use clew_execute::blobs::Shelf;
use clew_frontend::compilation;
use clew_report::project::{Summary, Totals, code_directories};
use clew_session::project::rank::Ranked;
use clew_session::project::record::Record;
use clew_session::project::remote::Crew;
use clew_session::project::run::{self, Finished, Launch, Progress, Project};
use clew_session::project::shard::{self, Durations, Shard, Told};
use clew_session::request::TestRequest;
use clew_session::suite::shortened;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Findings and reasons shown; `project.json` has them all.
const MOST_SHOWN: usize = 20;
/// How long a coordinator waits for workers before it says so.
const LONELY: Duration = Duration::from_secs(10);

/// Tests a project.
pub(super) fn run(request: &mut TestRequest, arguments: &TestArguments, terminal: Terminal) -> Result<Status, Status> {
    request.sources.files = files(arguments, terminal)?;
    let out = &arguments.output.out;
    let refuse = |message: String| {
        terminal.error(&message);
        Status::BadInput
    };
    if arguments.output.deny.contains(&DenyName::Assumptions) {
        return Err(refuse("`--deny assumptions` is about one file; give the files one by one".to_owned()));
    }
    let told = shard(arguments).map_err(refuse)?.map(|shard| shard.told());
    let shared_as = shelf(arguments).map_err(refuse)?.map(|_| tool::identity()).transpose();
    let shared_as =
        shared_as.map_err(|error| refuse(format!("the program of this process cannot be read: {error}")))?;
    write::create(out, terminal)?;
    let commission = Queued::new(arguments, terminal).map_err(refuse)?;
    let launch = launch().map_err(|error| refuse(format!("the program of this process is not known: {error}")))?;
    let resume = arguments.project.resume;
    let commission = commission.as_ref().map(Queued::commission);
    let (code, is_share) = (arguments.shared_code(), told.is_some());
    let project = Project { request, out, resume, launch, code, is_share, shared_as, commission };
    let waiting = Mutex::new(Instant::now());
    let finished = run::run(&project, &|progress| tell(progress, &waiting, terminal));
    terminal.progress("");
    let finished = finished.map_err(|error| refuse(error.to_string()))?;
    if arguments.project.changed_since.is_none() {
        for name in &finished.missing {
            terminal.error(&format!("no file that could be read defines a function `{name}`"));
        }
        if finished.records.is_empty() && told.is_none() && !request.wanted.functions.is_empty() {
            // What is known of other functions stays.
            return Err(Status::BadInput);
        }
    }
    finished.notes.iter().for_each(|note| terminal.say(&format!("{} {note}", terminal.paint(Paint::Yellow, "note:"))));
    if project.shared_as.is_some() && arguments.output.summary.is_none() {
        terminal.say(&format!("{} of {} results were in the cache", finished.found, finished.records.len()));
    }
    let Finished { records, elapsed, crew, .. } = &finished;
    if let Some(crew) = crew {
        queued::say(crew, terminal);
    }
    let denies_findings = arguments.output.deny.contains(&DenyName::Findings);
    let project =
        WrittenProject { records, elapsed: *elapsed, out, shard: told.as_ref(), crew: crew.as_ref(), denies_findings };
    let status = conclude(&project, arguments.output.summary, terminal)?;
    let records: Vec<&Record> = records.iter().collect();
    let directories = code_directories(&records, out);
    let is_joined = code::join(&directories, (&arguments.output, &arguments.layout()), out, terminal);
    let is_joined = is_joined.map_err(|error| write::refused(&error, terminal))?;
    Ok(if is_joined || status == Status::BadInput { status } else { Status::Findings })
}

/// Says what happens meanwhile. `waiting` is since when nobody works.
fn tell(progress: &Progress<'_>, waiting: &Mutex<Instant>, terminal: Terminal) {
    match progress {
        Progress::Begin { file, function, done, all } => {
            terminal.progress(&format!("{done} of {all} functions; {file}: {function}"));
        }
        Progress::Crew { workers, unread, done, open, slowest } => {
            let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
            if *workers > 0 {
                *waiting = Instant::now();
            } else if waiting.elapsed() >= LONELY {
                *waiting = Instant::now();
                terminal.say("note: no worker is heard of; start some with `clew worker --queue URL`");
            }
            let unread = if *unread > 0 { format!(", {unread} files not read yet") } else { String::new() };
            let slowest =
                slowest.map(|(worker, function, seconds)| format!("; {function} on {worker}: {seconds:.0} s"));
            let slowest = slowest.unwrap_or_default();
            terminal.progress(&format!("{done} of {} functions{unread}; {workers} workers{slowest}", done + open));
        }
        Progress::Trouble(trouble) => {
            terminal.progress("");
            terminal.say(&format!("{} {trouble}", terminal.paint(Paint::Yellow, "note:")));
        }
        Progress::Done(_) => {}
    }
}

/// The share of the project that is asked for.
pub(super) fn shard(arguments: &TestArguments) -> Result<Option<Shard>, String> {
    let Some(share) = arguments.project.shard else { return Ok(None) };
    let Some(path) = &arguments.project.durations else { return Ok(Some(Shard::new(share))) };
    let text = read(path)?;
    Shard::balanced(share, &text).map(Some).map_err(|error| no_project(path, &error))
}

/// How long functions took, by the `project.json` of an earlier run.
pub(super) fn durations(path: &Path) -> Result<Durations, String> {
    shard::durations(&read(path)?).map_err(|error| no_project(path, &error))
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

fn no_project(path: &Path, error: &str) -> String {
    format!("{} is not the project.json of a project: {error}", path.display())
}

/// Where results are shared with others. What a property file says has no part in their names.
pub(super) fn shelf(arguments: &TestArguments) -> Result<Option<Shelf>, String> {
    let project = &arguments.project;
    let access = if project.cache_read_only { Access::ReadOnly } else { Access::ReadWrite };
    let place = project.cache.as_ref().filter(|_| arguments.output.property.is_none());
    place.map(|place| clew_cluster::open(place, access)).transpose()
}

/// The files named, or all of the database.
fn files(arguments: &TestArguments, terminal: Terminal) -> Result<Vec<PathBuf>, Status> {
    let source = &arguments.source;
    if !source.files.is_empty() {
        return Ok(source.files.clone());
    }
    let database = source.database.as_deref().unwrap_or(Path::new("."));
    let files = compilation::read(database).map(|database| database.files()).map_err(|error| {
        terminal.diagnostics(&error.diagnostics(), &clew_ir::Sources::default());
        Status::BadInput
    })?;
    if files.is_empty() {
        terminal.error("the database names no file");
        return Err(Status::BadInput);
    }
    Ok(files)
}

/// Workers are this program with our own arguments and the word that makes a worker.
pub(super) fn launch() -> std::io::Result<Launch> {
    let mut arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let at = arguments.iter().position(|word| word == "test").map_or(0, |at| at + 1);
    arguments.insert(at, "--worker".into());
    Ok(Launch { program: std::env::current_exe()?, arguments, directory: None })
}

/// A project whose suites and journal are written.
pub(in crate::commands) struct WrittenProject<'a> {
    pub(in crate::commands) records: &'a [Record],
    pub(in crate::commands) elapsed: Duration,
    pub(in crate::commands) out: &'a Path,
    /// Which part of a project it is.
    pub(in crate::commands) shard: Option<&'a Told>,
    /// What the workers of a queue did.
    pub(in crate::commands) crew: Option<&'a Crew>,
    /// Whether findings make the command fail.
    pub(in crate::commands) denies_findings: bool,
}

/// Writes and says what came of all functions.
pub(in crate::commands) fn conclude(
    project: &WrittenProject<'_>,
    form: Option<SummaryForm>,
    terminal: Terminal,
) -> Result<Status, Status> {
    let WrittenProject { records, elapsed, out, shard, crew, denies_findings } = *project;
    let mut summary = Summary::new(records);
    summary.crew = crew;
    summary.write(out, shard).map_err(|error| write::refused(&error, terminal))?;
    if form == Some(SummaryForm::Json) {
        terminal.print(&format!("{}\n", summary.json()));
    } else {
        say(&summary.totals, records, &summary.findings, elapsed, terminal);
        let out = out.display();
        terminal.say(&format!("suites in {out}: index.html, project.json; run them: make -C {out} check"));
    }
    let is_denied = denies_findings && !summary.findings.is_empty();
    Ok(match &summary.totals {
        // The other shares have the functions.
        Totals { functions: 0, files: 0, .. } if shard.is_some() => Status::Fine,
        Totals { functions: 0, .. } => Status::BadInput,
        Totals { diverged: 0, red: 0, untested, .. } if !is_denied => {
            if *untested == 0 {
                Status::Fine
            } else {
                Status::Limit
            }
        }
        _ => Status::Findings,
    })
}

fn say(totals: &Totals, records: &[Record], findings: &[Ranked], elapsed: Duration, terminal: Terminal) {
    for ranked in findings.iter().take(MOST_SHOWN) {
        let finding = &ranked.finding;
        let mark = if finding.confirmed { terminal.paint(Paint::Red, "!") } else { terminal.paint(Paint::Yellow, "?") };
        let native = finding.native.as_deref().unwrap_or("not executed");
        terminal.say(&format!("{mark} {}:{}: {} in `{}`", finding.file, finding.line, finding.what, finding.text));
        let input = shortened(&finding.input, 160);
        let shows = if finding.confirmed { ", which confirms it" } else { "" };
        terminal.say(&terminal.paint(Paint::Dim, &format!("  {} with {input}; {native}{shows}", ranked.tested)));
        let also = match finding.also.len() {
            0 => String::new(),
            1 => " (the same cause shows in another line)".to_owned(),
            more => format!(" (the same cause shows in {more} other lines)"),
        };
        if let Some(clause) = &finding.requires {
            terminal.say(&terminal.paint(Paint::Dim, &format!("  excluded by: requires {clause};{also}")));
        } else if !also.is_empty() {
            terminal.say(&terminal.paint(Paint::Dim, &format!(" {also}")));
        }
    }
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for record in records.iter().filter(|record| !record.is_replayed()) {
        *reasons.entry(record.reason.as_deref().unwrap_or("no test")).or_default() += 1;
    }
    let mut reasons: Vec<(&str, usize)> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
    for (reason, number) in reasons.into_iter().take(MOST_SHOWN) {
        let reason = shortened(reason, 160);
        terminal.say(&format!("{} {reason}", terminal.paint(Paint::Yellow, &format!("{number:4} ×"))));
    }
    let share = 100.0 * totals.replayed as f64 / totals.functions.max(1) as f64;
    terminal.say(&format!(
        "{} functions of {} files: {} with tests that all go as predicted ({share:.1} %), {} with a divergence, {}{} \
         without tests; {} tests, {} findings; {} statements in {:.1} s",
        terminal.paint(Paint::Bold, &totals.functions.to_string()),
        totals.files,
        totals.replayed,
        totals.diverged,
        red(totals),
        totals.untested,
        totals.tests,
        totals.findings,
        totals.statements,
        elapsed.as_secs_f64(),
    ));
}

/// Functions whose test code does not pass, if there are some.
fn red(totals: &Totals) -> String {
    if totals.red == 0 { String::new() } else { format!("{} with test code that fails, ", totals.red) }
}
