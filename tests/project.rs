//! Whole projects: every function, what is kept from run to run, and what happens when a run is killed.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const FIRST: &str = "static int low(int a) { return a < 3 ? a : 3; }
int caller(int a) { if (low(a) == 2) return 1; return 0; }
int other(int a, int b) { if (a > b) return a; return b; }
";
const SECOND: &str = "extern int elsewhere; int needs(int); struct s { int x; };
int reads(struct s *p) { if (p && p->x == 7) return needs(p->x) > 2; return elsewhere; }
int divides(int a, int b) { if (b == 5) return 0; return a / b; }
";

/// A folder of its own with two files.
fn folder(name: &str) -> PathBuf {
    let path = clew_testing::folder(env!("CARGO_TARGET_TMPDIR"), "project", name);
    std::fs::write(path.join("first.c"), FIRST).expect("the file can be written");
    std::fs::write(path.join("second.c"), SECOND).expect("the file can be written");
    let entry =
        |file: &str| format!("{{\"directory\": {:?}, \"file\": \"{file}\", \"command\": \"cc -c {file}\"}}", path);
    let database = format!("[{}, {}]", entry("first.c"), entry("second.c"));
    std::fs::write(path.join("compile_commands.json"), database).expect("the file can be written");
    path
}

fn command(directory: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    let paths: &[&str] =
        if more.iter().any(|word| ["-c", "--criterion"].contains(word)) { &[] } else { &["-c", "path"] };
    command
        .args(["test", "--no-verify", "-p", "."])
        .args(paths)
        .args(clew_testing::effort("30"))
        .args(more)
        .current_dir(directory);
    command
}

/// Runs a project and gives its summary.
fn run(directory: &Path, more: &[&str]) -> Value {
    let output = command(directory, &["--summary", "json"]).args(more).output().expect("clew starts");
    let said = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}\n{said}"))
}

/// Names and numbers of tests.
fn tests(summary: &Value) -> Vec<(String, u64, u64)> {
    let functions = summary["functions"].as_array().expect("there are functions");
    let number = |function: &Value, name: &str| function[name].as_u64().unwrap_or(0);
    let one = |function: &Value| {
        (
            function["name"].as_str().unwrap_or_default().to_owned(),
            number(function, "tests"),
            number(function, "diverged"),
        )
    };
    functions.iter().map(one).collect()
}

fn journal(directory: &Path) -> usize {
    std::fs::read_to_string(directory.join("clew-out/project.jsonl")).expect("there is a journal").lines().count()
}

#[test]
fn every_function_once_and_again_for_nothing() {
    let at = folder("cache");
    let first = run(&at, &[]);
    let expected = [("caller", 3, 0), ("low", 2, 0), ("other", 2, 0), ("divides", 3, 0), ("reads", 4, 0)];
    let names = |found: &[(String, u64, u64)]| found.iter().map(|it| it.0.clone()).collect::<Vec<_>>();
    assert_eq!(names(&tests(&first)), expected.map(|it| it.0.to_owned()), "{first}");
    assert!(tests(&first).iter().all(|it| it.1 > 0 && it.2 == 0), "{first}");
    assert_eq!(journal(&at), 1 + 5);
    assert!(at.join("clew-out/first.c/caller/suite.json").is_file());
    let page = std::fs::read_to_string(at.join("clew-out/index.html")).expect("there is a page");
    assert!(page.contains("first.c/caller/report.html"), "the page leads to the reports");
    let made = Command::new("make").current_dir(at.join("clew-out")).args(["-s", "check"]).output().expect("make runs");
    let made = String::from_utf8_lossy(&made.stdout).into_owned();
    assert!(made.ends_with("2 suites, all pass\n"), "{made}");
    assert_eq!(tests(&run(&at, &[])), tests(&first));
    assert_eq!(journal(&at), 1 + 5, "nothing is tested twice");
    std::fs::write(at.join("first.c"), format!("\n{}", FIRST.replace("a < 3", "a < 2"))).expect("it can be written");
    run(&at, &[]);
    assert_eq!(journal(&at), 1 + 5 + 2, "only what reaches the change is tested again");
    let project = std::fs::read_to_string(at.join("clew-out/project.json")).expect("there is a summary");
    assert!(project.contains("division by zero"), "{project}");
}

#[test]
fn files_that_cannot_be_read_do_not_stop_the_rest() {
    let at = folder("broken");
    std::fs::write(at.join("first.c"), "int f( {\n").expect("the file can be written");
    let found = tests(&run(&at, &[]));
    assert_eq!(found.iter().map(|it| it.0.as_str()).collect::<Vec<_>>(), ["", "divides", "reads"]);
}

#[test]
fn functions_that_nobody_may_mention_cost_only_themselves() {
    let at = folder("unavailable");
    let text = "__attribute__((unavailable(\"it only asserts\"))) static inline void asserts(void) {
        _Static_assert(sizeof(int) == 4, \"four bytes\"); }\n";
    std::fs::write(at.join("first.c"), format!("{text}{FIRST}")).expect("the file can be written");
    let found = tests(&run(&at, &[]));
    let tested = |name: &str| found.iter().any(|(other, tests, _)| other == name && *tests > 0);
    assert!(!tested("asserts") && tested("low") && tested("caller") && tested("other"), "{found:?}");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let [one, two] =
        ["one", "two"].map(|name| tests(&run(&folder(name), &["--jobs", if name == "one" { "1" } else { "3" }])));
    assert_eq!(one, two);
}

#[test]
fn a_run_that_is_killed_goes_on() {
    let whole = tests(&run(&folder("whole"), &[]));
    let at = folder("killed");
    for round in 0..20_u64 {
        let mut child =
            command(&at, &["--resume"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(15 + round * 13 % 120));
        let _ = child.kill();
        let _ = child.wait();
    }
    assert_eq!(tests(&run(&at, &["--resume"])), whole);
}

#[test]
fn a_changed_header_touches_every_function() {
    let at = folder("header");
    let header = |limit: u32| std::fs::write(at.join("limit.h"), format!("#define LIMIT {limit}\n"));
    header(3).expect("the file can be written");
    let text = "#include \"limit.h\"\nint over(int a) { return a > LIMIT; }\nint under(int a) { return a < LIMIT; }\n";
    std::fs::write(at.join("first.c"), text).expect("the file can be written");
    let git = |words: &[&str]| {
        let name = ["-c", "user.name=n", "-c", "user.email=e"];
        let output = Command::new("git").current_dir(&at).args(name).args(words).output().expect("git starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "first"]);
    let names = || -> Vec<String> {
        tests(&run(&at, &["--changed-since", "HEAD"])).into_iter().map(|(name, ..)| name).collect()
    };
    assert_eq!(names(), Vec::<String>::new());
    header(4).expect("the file can be written");
    assert_eq!(names(), ["over", "under"]);
}

/// Their first paths end in something undefined; only others are tests.
const DOOMED_FIRST: &str = "#include <stdlib.h>
long before(void *block) { long *words = block; words--; return words[0]; }
static char *kept(char *room, int limit) {
    if (limit > 0) { char *copy = malloc(1); *copy = *room; return copy; }
    return room;
}
static char *letter(int limit) { char room[1] = {'x'}; return kept(room, limit); }
int read_letter(int limit) { return *letter(limit); }
";

#[test]
fn functions_without_decisions_have_a_test_that_ends_well() {
    let at = folder("doomed_first");
    std::fs::write(at.join("doomed.c"), DOOMED_FIRST).expect("the file can be written");
    let mut clew = Command::new(env!("CARGO_BIN_EXE_clew"));
    clew.args(["test", "--no-verify", "--project", "doomed.c", "-c", "decision", "--summary", "json"])
        .args(clew_testing::effort("30"));
    let output = clew.current_dir(&at).output().expect("clew starts");
    let summary: Value = serde_json::from_slice(&output.stdout).expect("the summary is JSON");
    assert_eq!((&summary["totals"]["functions"], &summary["totals"]["replayed"]), (&4.into(), &4.into()), "{summary}");
}

#[test]
fn functions_that_no_file_defines_are_named() {
    let at = folder("missing");
    std::fs::write(at.join("one.c"), "int one(int x) { return x > 3; }\n").expect("the file can be written");
    let mut clew = Command::new(env!("CARGO_BIN_EXE_clew"));
    clew.args(["test", "--no-verify", "-c", "path", "--project", "one.c", "--function", "one", "--function", "other"]);
    let output = clew.current_dir(&at).output().expect("clew starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("no file that could be read defines a function `other`"), "{said}");
    assert!(!said.contains("function `one`"), "{said}");
    let page = || std::fs::read_to_string(at.join("clew-out/index.html")).expect("there is an index");
    let before = page();
    let mut clew = Command::new(env!("CARGO_BIN_EXE_clew"));
    clew.args(["test", "--no-verify", "-c", "path", "--project", "one.c", "--function", "other"]);
    assert_eq!(clew.current_dir(&at).output().expect("clew starts").status.code(), Some(2));
    assert!(before == page(), "a name that no file knows changed what is known of others");
    let mut clew = Command::new(env!("CARGO_BIN_EXE_clew"));
    let output = clew.args(["evidence"]).current_dir(&at).output().expect("clew starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("clew-out holds a project; name the directory of one of its functions"), "{said}");
}

#[test]
fn functions_with_vectors_do_not_cost_the_others_their_tests() {
    let at = folder("vectors");
    let text = "typedef int four __attribute__((vector_size(16)));\nfour same(four x) { return x; }\n\
                int plain(int x) { return x > 3 ? 1 : 0; }\n";
    std::fs::write(at.join("vectors.c"), text).expect("the file can be written");
    let mut clew = Command::new(env!("CARGO_BIN_EXE_clew"));
    clew.args([
        "test",
        "--no-verify",
        "-c",
        "path",
        "--project",
        "vectors.c",
        "--function",
        "plain",
        "--function",
        "same",
        "--summary",
        "json",
    ]);
    let output = clew.current_dir(&at).output().expect("clew starts");
    let summary: Value = serde_json::from_slice(&output.stdout).expect("the summary is JSON");
    let plain = tests(&summary).into_iter().find(|(name, ..)| name == "plain");
    assert!(plain.is_some_and(|(_, tests, _)| tests == 2), "{summary}");
}

#[test]
fn tests_leave_sources_alone_that_others_could_be_made_into() {
    let at = folder("lexer");
    let source = "int token(int c) { return c == 'x' ? 1 : 0; }\n";
    std::fs::write(at.join("lexer.c"), source).expect("the file can be written");
    let mut clew = Command::new(env!("CARGO_BIN_EXE_clew"));
    clew.args(["test", "--no-verify", "-c", "path", "--project", "lexer.c", "-o", "out"]).current_dir(&at);
    assert!(clew.output().expect("clew starts").status.success());
    std::fs::write(at.join("lexer.l"), "%%\n").expect("the file can be written");
    let made = Command::new("make").args(["-s", "-C", "out", "LEX=false", "check"]).current_dir(&at).output();
    let made = made.expect("make starts");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    assert_eq!(std::fs::read_to_string(at.join("lexer.c")).expect("it is still there"), source);
}
