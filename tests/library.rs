//! The C library in proofs and in tests: facts about calls, and that both engines say the same.
//!
//! `//~ violated` says that something on the line is undefined for some input, or that a property there does not hold;
//! `//~ proved` says that everything on the line is proved; `//~? violated` is true, and must be unknown until it is found.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

fn corpus() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/library");
    let entries = std::fs::read_dir(folder).expect("the corpus is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry can be read").path()).collect();
    files.sort();
    files
}

/// What a command says in JSON.
fn summary(command: &str, file: &Path, options: &[&str]) -> Value {
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let thread = std::thread::current();
    let test = thread.name().unwrap_or_default().replace("::", "-");
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("library-{test}-{command}-{name}"));
    let mut clew = Command::new(env!("CARGO_BIN_EXE_clew"));
    clew.arg(command).arg(file).args(options).args(["--summary", "json", "--time", "3600"]).arg("-o").arg(out);
    let output = clew.output().expect("clew runs");
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// The lines with a fact.
fn lines(file: &Path, fact: &str) -> BTreeSet<u64> {
    lines_with(file, &format!("//~ {fact}"))
}

fn lines_with(file: &Path, end: &str) -> BTreeSet<u64> {
    let text = std::fs::read_to_string(file).expect("the file can be read");
    (1..).zip(text.lines()).filter(|(_, line)| line.ends_with(end)).map(|(number, _)| number).collect()
}

#[test]
fn facts_of_the_corpus() {
    for file in corpus() {
        let mut verdicts: BTreeMap<u64, Vec<(String, String)>> = BTreeMap::new();
        let proved = summary("prove", &file, &["--checks"]);
        for goal in proved["goals"].as_array().expect("there are goals") {
            let text = |key: &str| goal[key].as_str().unwrap_or_default().to_owned();
            let line = goal["line"].as_u64().expect("a goal has a line");
            verdicts.entry(line).or_default().push((text("text"), text("verdict")));
        }
        for line in lines(&file, "violated") {
            let said = verdicts.get(&line).cloned().unwrap_or_default();
            let is_violated = said.iter().any(|(_, verdict)| verdict == "violated");
            assert!(is_violated, "{}:{line} is not violated: {said:?}", file.display());
        }
        for line in lines_with(&file, "//~? violated") {
            let said = verdicts.get(&line).cloned().unwrap_or_default();
            let is_unknown = said.iter().all(|(_, verdict)| verdict == "unknown");
            assert!(is_unknown, "{}:{line} is no longer unknown: {said:?}", file.display());
        }
        for line in lines(&file, "proved") {
            let said = verdicts.get(&line).cloned().unwrap_or_default();
            let is_proved = !said.is_empty() && said.iter().all(|(_, verdict)| verdict == "proved");
            assert!(is_proved, "{}:{line} is not proved: {said:?}", file.display());
        }
    }
}

/// The functions in which something of the C library is undefined: those with a line that says so in their bodies.
fn undefined(file: &Path, goals: &[Value]) -> BTreeSet<String> {
    let lines = lines(file, "violated");
    let on_line =
        |goal: &&Value| goal["id"] != "ensures" && goal["line"].as_u64().is_some_and(|line| lines.contains(&line));
    goals.iter().filter(on_line).map(|goal| goal["function"].as_str().unwrap_or_default().to_owned()).collect()
}

/// Proofs demand more of pointers of the input than tests, which take them to be valid; so tests may find less.
#[test]
fn tests_find_what_proofs_find() {
    for file in corpus() {
        let proved = summary("prove", &file, &["--checks"]);
        let goals = proved["goals"].as_array().expect("there are goals");
        let name = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
        let violated = goals.iter().filter(|goal| goal["verdict"] == "violated");
        let violated: BTreeSet<String> = violated.map(|goal| name(goal, "function")).collect();
        let tested = summary("test", &file, &["-c", "error"]);
        let functions = tested["functions"].as_array().expect("there are functions");
        let found = functions.iter().filter(|function| function["findings"].as_u64() > Some(0));
        let found: BTreeSet<String> = found.map(|function| name(function, "name")).collect();
        let contradicted: Vec<&String> = found.difference(&violated).collect();
        assert!(contradicted.is_empty(), "{}: tests find something in {contradicted:?}", file.display());
        let missed: Vec<String> = undefined(&file, goals).difference(&found).cloned().collect();
        assert!(missed.is_empty(), "{}: tests find nothing in {missed:?}", file.display());
    }
}
