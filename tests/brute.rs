//! Criteria, `prove` and `reach` against enumeration on the source.
//!
//! Random functions with few inputs (`brute/writer.rs`) are written twice: plainly, and with a word of every place that a
//! run passes. The twin is compiled with sanitizers and run on every input in every pattern of aliases (`brute/twin.rs`);
//! objectives are counted from what it tells, by the definitions of `docs/criteria.md` and in the words of `clew`
//! (`brute/oracle.rs`). Nothing that an input does may be called infeasible or proved, unless it breaks an assumption that the
//! verdict names, nor be missing from the list; nothing may be called covered that no input does; every test does what it
//! says (`brute/judge.rs`).
//!
//! `CLEW_BRUTE` sets how many programs are tried, `CLEW_BRUTE_FROM` the first one, `CLEW_BRUTE_EFFORT` how much work in
//! seconds each command gets.

#[path = "brute/judge.rs"]
mod judge;
#[path = "brute/oracle.rs"]
mod oracle;
#[path = "brute/site.rs"]
mod site;
#[path = "brute/twin.rs"]
mod twin;
#[path = "brute/writer.rs"]
mod writer;

use judge::{Count, Judge};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

/// Functions in one program.
const FUNCTIONS: usize = 3;

/// Criteria whose objectives are listed one by one.
const CRITERIA: &str = "statement,decision,condition,condition-decision,mcc,mcdc-unique,mcdc-masking,all-defs,all-uses,\
    weak-mutation,boundary,loop,function,call,error,float-exceptions,user";

/// The most turns of a loop on paths that are listed.
const TURNS: u32 = 3;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Runs `clew` with limited work.
fn clew(words: &[&str], names: &[&str], folder: &Path) -> Output {
    let effort = std::env::var("CLEW_BRUTE_EFFORT").unwrap_or_else(|_| "1".to_owned());
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    command.args(words).args(clew_testing::effort(&effort));
    command.args(names.iter().flat_map(|name| ["-f", name]));
    command.current_dir(folder).env("NO_COLOR", "1").output().expect("clew can be run")
}

/// An end of `clew` that is no mistake of its own.
fn mistake(output: &Output) -> Option<String> {
    let is_fine = matches!(output.status.code(), Some(0 | 1 | 3));
    (!is_fine).then(|| format!("clew ends with {}: {}", output.status, String::from_utf8_lossy(&output.stderr)))
}

/// What is wrong with what is said of one program.
fn complaints(seed: u64, folder: &Path, count: &mut Count) -> Vec<String> {
    let program = writer::program(seed, FUNCTIONS);
    std::fs::write(folder.join("program.c"), &program.plain).expect("the program can be written");
    let runs = twin::enumerate(&program, folder);
    let judge = Judge { program: &program, runs: &runs };
    let names: Vec<&str> = program.functions.iter().map(|function| function.name.as_str()).collect();
    let mut words = vec!["test", "program.c", "-c", CRITERIA, "--scope", "function", "-o", "suite"];
    if !seed.is_multiple_of(8) {
        words.push("--no-verify");
    }
    let tested = clew(&words, &names, folder);
    let mut wrong: Vec<String> = mistake(&tested).into_iter().collect();
    if tested.status.code() == Some(1) {
        let said = String::from_utf8_lossy(&tested.stdout);
        wrong.push(format!("tests diverge or fail:\n{said}{}", String::from_utf8_lossy(&tested.stderr)));
    }
    if wrong.is_empty() {
        let suite = std::fs::read_to_string(folder.join("suite/suite.json")).expect("there is a suite");
        let suite: Value = serde_json::from_str(&suite).expect("suites are JSON");
        wrong.extend(judge.suite(&suite, count));
    }
    let words = ["prove", "program.c", "--checks", "--summary", "json", "-o", "goals"];
    let proved = clew(&words, &names, folder);
    wrong.extend(mistake(&proved));
    wrong.extend(judge.proofs(&answer(&proved), count));
    wrong.extend(paths(&judge, &names, folder, count));
    for (index, name) in names.iter().enumerate() {
        wrong.extend(reached(&judge, (index, name), seed, folder, count));
    }
    wrong
}

/// The JSON that a command prints, after what it tells people.
fn answer(output: &Output) -> Value {
    let said = String::from_utf8_lossy(&output.stdout);
    said.lines().find_map(|line| serde_json::from_str(line).ok()).unwrap_or_default()
}

/// All paths of few turns.
fn paths(judge: &Judge<'_>, names: &[&str], folder: &Path, count: &mut Count) -> Vec<String> {
    let turns = TURNS.to_string();
    let words = ["test", "program.c", "-c", "path", "-k", &turns, "--tests", "500", "-o", "paths", "--no-verify"];
    let tested = clew(&words, names, folder);
    let mut wrong: Vec<String> = mistake(&tested).into_iter().collect();
    if let Ok(suite) = std::fs::read_to_string(folder.join("paths/suite.json")) {
        wrong.extend(judge.paths(&serde_json::from_str(&suite).expect("suites are JSON"), TURNS, count));
    }
    wrong
}

/// One line of a function as a goal.
fn reached(judge: &Judge<'_>, of: (usize, &str), seed: u64, folder: &Path, count: &mut Count) -> Vec<String> {
    let (index, name) = of;
    let own = judge.program.functions[index].sites.clone();
    let is_statement = |site: &usize| {
        let site = &judge.program.sites[*site];
        matches!(site.what, site::What::Line) && site.text.ends_with(';')
    };
    let lines: Vec<usize> = own.filter(is_statement).collect();
    let site = lines[usize::try_from(seed).expect("seeds are small") % lines.len()];
    let goal = format!("program.c:{}", judge.program.sites[site].line);
    let words = ["reach", &goal, "--summary", "json", "-o", "goals"];
    let output = clew(&words, &[name], folder);
    let mut wrong: Vec<String> = mistake(&output).into_iter().collect();
    wrong.extend(judge.reached(index, site, &answer(&output), count));
    wrong
}

#[test]
fn verdicts_are_those_of_enumeration() {
    let (first, programs) = (number("CLEW_BRUTE_FROM", 0), number("CLEW_BRUTE", 4));
    let mut count = Count::default();
    let mut wrong = Vec::new();
    for seed in first..first + programs {
        let folder = clew_testing::folder(env!("CARGO_TARGET_TMPDIR"), "brute", &format!("program_{seed}"));
        let own = complaints(seed, &folder, &mut count);
        if own.is_empty() {
            std::fs::remove_dir_all(&folder).expect("the folder can be removed");
        }
        let place = folder.join("program.c");
        wrong.extend(own.into_iter().map(|complaint| format!("{}: {complaint}", place.display())));
    }
    println!("{count:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count.covered > count.unknown && count.excluded > 0 && count.tests > 0 && count.goals > 0, "{count:?}");
}
