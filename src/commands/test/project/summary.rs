//! The end of a project's run: `project.json`, a Makefile for all suites, and a page for the reader.

use super::place;
use crate::cli::{SummaryForm, TestArguments};
use crate::status::Status;
use crate::terminal::{Paint, Terminal};
use clew::emit::{self, MARK};
use clew::project::rank::{Ranked, rank};
use clew::project::record::Record;
use clew::report::project;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

/// Findings and reasons shown; `project.json` has them all.
const MOST_SHOWN: usize = 20;

/// What came of a project.
#[derive(Serialize)]
struct Project<'a> {
    generator: String,
    format: u32,
    totals: Totals,
    functions: &'a [serde_json::Value],
    findings: &'a [Ranked],
}

#[derive(Serialize)]
struct Totals {
    files: usize,
    functions: usize,
    /// Functions with tests that all went as predicted.
    replayed: usize,
    /// Functions with a test that did not.
    diverged: usize,
    /// Functions without any test that C defines.
    untested: usize,
    tests: usize,
    findings: usize,
    statements: u64,
    /// Seconds that testing the functions took, one after the other.
    work_seconds: f64,
}

impl Totals {
    fn new(records: &[&Record], findings: usize) -> Totals {
        let functions: Vec<&&Record> = records.iter().filter(|record| !record.function.is_empty()).collect();
        let number = |is: &dyn Fn(&Record) -> bool| functions.iter().filter(|record| is(record)).count();
        Totals {
            files: records.iter().map(|record| &record.file).collect::<BTreeSet<_>>().len(),
            functions: functions.len(),
            replayed: number(&Record::is_replayed),
            diverged: number(&|record| record.diverged > 0),
            untested: number(&|record| record.usable == 0),
            tests: functions.iter().map(|record| record.tests).sum(),
            findings,
            statements: functions.iter().map(|record| record.statements).sum(),
            work_seconds: functions.iter().map(|record| record.seconds).sum(),
        }
    }
}

/// Writes and says what came of all functions.
pub(super) fn finish(
    records: Vec<&Record>,
    elapsed: Duration,
    arguments: &TestArguments,
    terminal: Terminal,
) -> Result<Status, Status> {
    let findings = rank(records.iter().copied());
    let totals = Totals::new(&records, findings.len());
    let functions: Vec<serde_json::Value> = records.iter().map(|record| entry(record)).collect();
    let generator = format!("{MARK} {}", env!("CARGO_PKG_VERSION"));
    let project = Project { generator, format: 1, totals, functions: &functions, findings: &findings };
    let json = serde_json::to_string_pretty(&project).expect("a project is made of strings and numbers");
    let json = json.replacen("{\n  \"generator\"", "{ \"generator\"", 1) + "\n";
    let files = [("project.json", json), ("index.html", page(&records, &findings)), ("Makefile", makefile(&records))];
    for (name, text) in files {
        emit::write(&arguments.out.join(name), &text).map_err(|error| {
            terminal.error(&error.to_string());
            Status::BadInput
        })?;
    }
    if arguments.summary == Some(SummaryForm::Json) {
        let text = serde_json::json!({ "functions": functions, "totals": project.totals });
        terminal.print(&format!("{text}\n"));
    } else {
        say(&project.totals, &records, &findings, elapsed, terminal);
        let out = arguments.out.display();
        terminal.say(&format!("suites in {out}: index.html, project.json; run them: make -C {out} check"));
    }
    Ok(match (&project.totals, findings.is_empty()) {
        (Totals { functions: 0, .. }, _) => Status::BadInput,
        (Totals { diverged: 0, untested: 0, .. }, true) => Status::Fine,
        (Totals { diverged: 0, .. }, true) => Status::Limit,
        _ => Status::Findings,
    })
}

/// The summary of a function with where it stands and what went wrong.
fn entry(record: &Record) -> serde_json::Value {
    let mut entry = record.summary.clone();
    if !entry.is_object() {
        entry = serde_json::json!({ "name": record.function, "tests": 0, "stop": record.stop });
    }
    entry["file"] = record.file.clone().into();
    entry["line"] = record.line.into();
    entry["statements"] = record.statements.into();
    if let Some(reason) = &record.reason {
        entry["error"] = reason.clone().into();
    }
    entry
}

/// The page over all functions.
fn page(records: &[&Record], findings: &[Ranked]) -> String {
    let all: Vec<PathBuf> = records.iter().map(|record| PathBuf::from(&record.file)).collect();
    let link = |record: &Record| {
        let place = place(record.file.as_ref(), &all).join(&record.function).join("report.html");
        (record.tests > 0).then(|| place.display().to_string())
    };
    project::html(&project::Project {
        version: env!("CARGO_PKG_VERSION"),
        functions: records.iter().map(|record| row(record, link(record))).collect(),
        findings: findings.iter().map(shown).collect(),
    })
}

fn row(record: &Record, link: Option<String>) -> project::Row<'_> {
    let criteria = record.summary["criteria"].as_array().map_or(&[][..], Vec::as_slice);
    let number = |verdict: &str| criteria.iter().filter_map(|count| count[verdict].as_u64()).sum();
    project::Row {
        name: &record.function,
        file: &record.file,
        line: record.line,
        link,
        statements: record.statements,
        tests: record.tests,
        diverged: record.diverged,
        findings: record.findings.len(),
        objectives: ["covered", "infeasible", "unknown"].map(number),
        stop: &record.stop,
        reason: record.reason.as_deref(),
    }
}

fn shown(ranked: &Ranked) -> project::Finding<'_> {
    let found = &ranked.finding;
    project::Finding {
        what: &found.what,
        file: &found.file,
        line: found.line,
        text: &found.text,
        input: format!("{} with {}", ranked.tested, found.input),
        confirmed: ranked.confirmed,
    }
}

/// Runs the tests of every suite.
fn makefile(records: &[&Record]) -> String {
    let all: Vec<PathBuf> = records.iter().map(|record| PathBuf::from(&record.file)).collect();
    let suite = |record: &&&Record| place(record.file.as_ref(), &all).join(&record.function).display().to_string();
    let suites: Vec<String> = records.iter().filter(|record| record.tests > 0).map(|record| suite(&record)).collect();
    format!(
        "# {MARK} {}\nSUITES = {}\n\ncheck:\n\t@failed=; for suite in $(SUITES); do $(MAKE) -s -C $$suite check || \
         failed=\"$$failed $$suite\"; done; \\\n\tif [ -n \"$$failed\" ]; then echo \"failed:$$failed\"; exit 1; fi; \\\n\
         \techo \"$(words $(SUITES)) suites, all pass\"\n\n.PHONY: check\n",
        env!("CARGO_PKG_VERSION"),
        suites.join(" \\\n    "),
    )
}

fn say(totals: &Totals, records: &[&Record], findings: &[Ranked], elapsed: Duration, terminal: Terminal) {
    for ranked in findings.iter().take(MOST_SHOWN) {
        let finding = &ranked.finding;
        let mark = if ranked.confirmed { terminal.paint(Paint::Red, "!") } else { terminal.paint(Paint::Yellow, "?") };
        let native = finding.native.as_deref().unwrap_or("not executed");
        terminal.say(&format!("{mark} {}:{}: {} in `{}`", finding.file, finding.line, finding.what, finding.text));
        let input = shortened(&finding.input, 160);
        terminal.say(&terminal.paint(Paint::Dim, &format!("  {} with {input}; {native}", ranked.tested)));
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
        "{} functions of {} files: {} with tests that all go as predicted ({share:.1} %), {} with a divergence, {} \
         without tests; {} tests, {} findings; {} statements in {:.1} s",
        terminal.paint(Paint::Bold, &totals.functions.to_string()),
        totals.files,
        totals.replayed,
        totals.diverged,
        totals.untested,
        totals.tests,
        totals.findings,
        totals.statements,
        elapsed.as_secs_f64(),
    ));
}

/// The beginning of a text.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}
