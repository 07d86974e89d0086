//! The end of a project's run: `project.json`, a Makefile for all suites, and a page for the reader.

use crate::html::project;
use crate::join;
use clew_session::output::{self, MARK, WriteError};
use clew_session::project::rank::{Ranked, rank};
use clew_session::project::record::Record;
use clew_session::project::remote;
use clew_session::project::shard::Told;
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

/// Functions shown that took longest.
const MOST_SLOW: usize = 10;

/// What came of a project.
#[derive(Serialize)]
struct Project<'a> {
    generator: String,
    format: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<&'a Told>,
    totals: &'a Totals,
    functions: Entries<'a>,
    findings: &'a [Ranked],
    #[serde(skip_serializing_if = "Option::is_none")]
    crew: Option<&'a remote::Crew>,
}

/// The entries of functions, each made when it is written: together they take several times the memory of the records.
#[derive(Debug)]
struct Entries<'a>(&'a [&'a Record]);

impl Serialize for Entries<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|record| entry(record)))
    }
}

/// Numbers of a project.
#[derive(Debug, Serialize)]
pub struct Totals {
    /// Files.
    pub files: usize,
    /// Functions.
    pub functions: usize,
    /// Functions with tests that all went as predicted.
    pub replayed: usize,
    /// Functions with a test that did not.
    pub diverged: usize,
    /// Functions with test code that does not pass as it was written.
    pub red: usize,
    /// Functions without any test that C defines.
    pub untested: usize,
    /// Tests.
    pub tests: usize,
    /// Failing checks.
    pub findings: usize,
    /// C statements.
    pub statements: u64,
    /// Seconds that testing the functions took, one after the other.
    pub work_seconds: f64,
    /// Seconds of processor time, those of compilers and of all tests included.
    pub cpu_seconds: f64,
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
            red: number(&|record| record.red.is_some()),
            untested: number(&|record| record.usable == 0),
            tests: functions.iter().map(|record| record.tests).sum(),
            findings,
            statements: functions.iter().map(|record| record.statements).sum(),
            work_seconds: functions.iter().map(|record| record.seconds).sum(),
            cpu_seconds: functions.iter().map(|record| record.cpu_seconds).sum(),
        }
    }
}

/// What is written and said of a project.
#[derive(Debug)]
pub struct Summary<'r> {
    records: Vec<&'r Record>,
    /// The findings of all functions, the gravest first.
    pub findings: Vec<Ranked>,
    /// Numbers of everything.
    pub totals: Totals,
    /// What the workers of a queue did.
    pub crew: Option<&'r remote::Crew>,
}

impl<'r> Summary<'r> {
    /// Sums up records.
    pub fn new(records: &'r [Record]) -> Summary<'r> {
        let records: Vec<&Record> = records.iter().collect();
        let findings = rank(records.iter().copied());
        let totals = Totals::new(&records, findings.len());
        Summary { records, findings, totals, crew: None }
    }

    /// The form for tools, on one line.
    pub fn json(&self) -> String {
        let functions = serde_json::to_string(&Entries(&self.records));
        let functions = functions.expect("a project is made of strings and numbers");
        let totals = serde_json::to_value(&self.totals).expect("totals are numbers");
        format!("{{\"functions\":{functions},\"totals\":{totals}}}")
    }

    /// Writes `project.json`, the page, the Makefile, and the files for other tools that suites have, joined. A run of one
    /// share says which.
    ///
    /// # Errors
    /// When a file is not ours or the system refuses.
    pub fn write(&self, out: &Path, shard: Option<&Told>) -> Result<(), WriteError> {
        let project = Project {
            generator: format!("{MARK} {}", env!("CARGO_PKG_VERSION")),
            format: 1,
            shard,
            totals: &self.totals,
            functions: Entries(&self.records),
            findings: &self.findings,
            crew: self.crew,
        };
        output::write_by(&out.join("project.json"), |file| {
            serde_json::to_writer_pretty(Joined { file, left_out: b"\n " }, &project)?;
            file.write_all(b"\n")
        })?;
        let page = page(&self.records, &self.findings, self.crew);
        output::write_by(&out.join("index.html"), |file| project::write(&page, file))?;
        drop(page);
        output::write(&out.join("Makefile"), makefile(&code_directories(&self.records, out)))?;
        join::write(out, &directories(&self.records))
    }
}

/// Writes JSON with its first two lines on one, so that the first line carries the mark.
struct Joined<'f> {
    file: &'f mut dyn Write,
    /// What is left out where it comes next.
    left_out: &'static [u8],
}

impl Write for Joined<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some((next, rest)) = self.left_out.split_first() else { return self.file.write(bytes) };
        let at = bytes.iter().position(|byte| byte == next);
        self.file.write_all(&bytes[..at.unwrap_or(bytes.len())])?;
        if at.is_some() {
            self.left_out = rest;
        }
        Ok(at.map_or(bytes.len(), |at| at + 1))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The directories of all suites, each once.
fn directories<'r>(records: &[&'r Record]) -> Vec<&'r str> {
    let mut known = BTreeSet::new();
    let with_tests = records.iter().filter(|record| record.tests > 0 && !record.directory.is_empty());
    with_tests.map(|record| record.directory.as_str()).filter(|directory| known.insert(*directory)).collect()
}

/// Where there is test code, each directory once: a function has its own or shares that of its file.
pub fn code_directories(records: &[&Record], out: &Path) -> Vec<String> {
    let mut known = BTreeSet::new();
    let own = |directory: &str| {
        let directory = Path::new(directory);
        let code = [Some(directory), directory.parent()].into_iter().flatten();
        let mut code = code.filter(|code| out.join(code).join("Makefile").is_file());
        code.next().map(|code| code.display().to_string())
    };
    let all = directories(records).into_iter().filter_map(own);
    all.filter(|directory| !directory.is_empty() && known.insert(directory.clone())).collect()
}

/// The summary of a function with where it stands and what went wrong.
fn entry(record: &Record) -> serde_json::Value {
    let mut entry = record.summary.value();
    if !entry.is_object() {
        entry = serde_json::json!({ "name": record.function, "tests": 0, "stop": record.stop });
    }
    entry["file"] = record.file.clone().into();
    entry["line"] = record.line.into();
    entry["statements"] = record.statements.into();
    if let Some(reason) = &record.reason {
        entry["error"] = reason.clone().into();
    }
    if let Some(variant) = &record.variant {
        entry["variant"] = variant.clone().into();
    }
    entry
}

/// The page over all functions.
fn page<'r>(records: &[&'r Record], findings: &'r [Ranked], crew: Option<&'r remote::Crew>) -> project::Project<'r> {
    let link = |record: &Record| (record.tests > 0).then(|| format!("{}/report.html", record.directory));
    project::Project {
        version: env!("CARGO_PKG_VERSION"),
        functions: records.iter().copied().map(|record| row(record, link(record))).collect(),
        findings: findings.iter().map(shown).collect(),
        crew: crew.map(|crew| project::Crew { crew, slowest: slowest(records) }),
    }
}

/// The functions that took longest, with their seconds.
fn slowest<'r>(records: &[&'r Record]) -> Vec<(&'r str, f64)> {
    let mut slowest: Vec<(&str, f64)> =
        records.iter().map(|record| (record.function.as_str(), record.seconds)).collect();
    slowest.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    slowest.truncate(MOST_SLOW);
    slowest
}

fn row(record: &Record, link: Option<String>) -> project::Row<'_> {
    project::Row {
        name: &record.function,
        variant: record.variant.as_deref(),
        file: &record.file,
        line: record.line,
        link,
        statements: record.statements,
        tests: record.tests,
        diverged: record.diverged,
        findings: record.findings.len(),
        objectives: record.objectives(),
        stop: &record.stop,
        reason: record.reason.as_deref(),
    }
}

/// What would exclude a finding, and where else its cause shows.
fn further(ranked: &Ranked) -> String {
    let requires = ranked.finding.requires.as_ref().map(|clause| format!("; excluded by: requires {clause};"));
    let also: Vec<String> = ranked.finding.also.iter().map(u32::to_string).collect();
    let also = (!also.is_empty()).then(|| format!("; also in lines {}", also.join(", ")));
    [requires, also].into_iter().flatten().collect()
}

fn shown(ranked: &Ranked) -> project::Finding<'_> {
    let found = &ranked.finding;
    project::Finding {
        what: &found.what,
        file: &found.file,
        line: found.line,
        text: &found.text,
        input: format!("{} with {}{}", ranked.tested, found.input, further(ranked)),
        confirmed: ranked.finding.confirmed,
    }
}

/// Runs the tests of every suite.
fn makefile(suites: &[String]) -> String {
    let each = |target: &str| {
        format!(
            "\t@failed=; for suite in $(SUITES); do $(MAKE) -s -C $$suite {target} || failed=\"$$failed $$suite\"; done; \
             \\\n\tif [ -n \"$$failed\" ]; then echo \"failed:$$failed\"; exit 1; fi"
        )
    };
    format!(
        "# {MARK} {}\nSUITES = {}\n\ncheck:\n{}; \\\n\techo \"$(words $(SUITES)) suites, all pass\"\n\nfindings:\n{}\n\nclean:\n{}\n\n\
         .PHONY: check findings clean\n\n-include all_tests.mk\n",
        env!("CARGO_PKG_VERSION"),
        suites.join(" \\\n    "),
        each("check"),
        each("findings"),
        each("clean"),
    )
}
