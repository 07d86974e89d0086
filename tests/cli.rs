//! The command line end to end: what it prints, what it writes, which code it ends with.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

/// A folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    clew_testing::folder(env!("CARGO_TARGET_TMPDIR"), "cli", name)
}

fn clew(directory: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_clew")).args(args).current_dir(directory).output().expect("clew starts")
}

/// Runs clew and checks its exit code and that one stream mentions a text.
fn check(directory: &Path, args: &[&str], code: i32, mentions: &str) -> Output {
    let output = clew(directory, args);
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "clew {args:?} printed\n{text}");
    assert!(text.contains(mentions), "clew {args:?} does not mention `{mentions}`:\n{text}");
    assert!(!text.contains("panicked"), "clew {args:?} panicked:\n{text}");
    output
}

fn write(directory: &Path, name: &str, text: &[u8]) {
    std::fs::write(directory.join(name), text).expect("the file can be written");
}

const ABSOLUTE: &[u8] = b"int absolute(int x) { if (x < 0) return -x; return x; }\n";

#[test]
fn bad_input_is_code_2_with_one_clear_message() {
    let at = folder("bad_input");
    write(&at, "broken.c", b"int f( { return 0; }\n");
    write(&at, "fine.c", ABSOLUTE);
    write(&at, "bytes.c", &[0, 159, 146, 150, 7, 0, 255]);
    write(&at, "compile_commands.json", b"[{\"file\": 3}]");
    check(&at, &["ir", "missing.c"], 2, "missing.c");
    check(&at, &["ir", "."], 2, "is a directory");
    check(&at, &["ir", "broken.c"], 2, "broken.c:1");
    check(&at, &["ir", "bytes.c"], 2, "bytes.c");
    check(&at, &["ir", "fine.c", "--function", "absolut"], 2, "is it `absolute`?");
    check(&at, &["ir", "fine.c", "-p", "compile_commands.json"], 2, "compile_commands.json");
    check(&at, &["run", "fine.c"], 2, "no function `main`");
    check(&at, &["frobnicate"], 2, "unrecognized subcommand");
    check(&at, &["solve", "missing.smt2"], 2, "missing.smt2");
}

#[test]
fn heuristics_are_listed_and_tuned() {
    let at = folder("policy");
    write(&at, "easy.smt2", b"(declare-const x (_ BitVec 8))(assert (bvugt x #x07))(check-sat)");
    check(&at, &["policy"], 0, "solver.max_gates_small=1200  [0..1000000]");
    check(&at, &["policy", "--tune", "solver.max_gates_small=7"], 0, "solver.max_gates_small=7 (default 1200)");
    check(&at, &["solve", "easy.smt2", "--tune", "solver.use_repair=0"], 0, "sat");
    check(&at, &["solve", "easy.smt2", "--tune", "solver.use_repair=2"], 2, "takes numbers from 0 to 1");
    check(&at, &["solve", "easy.smt2", "--tune", "solver.nothing=2"], 2, "`clew policy` lists them");
}

#[test]
fn errors_say_what_to_do() {
    let at = folder("advice");
    write(&at, "fine.c", ABSOLUTE);
    write(&at, "empty.c", b"");
    write(&at, "class.cpp", b"class A { int x; };\n");
    write(&at, "unknown.c", b"int f(int x) { return x > 3 ? y : 0; }\n");
    check(
        &at,
        &["test", "--no-verify", "-c", "path", "empty.c"],
        2,
        "no function is defined in empty.c; name the C file",
    );
    check(&at, &["test", "--no-verify", "-c", "path", "class.cpp"], 2, "class.cpp is named like C++; clew reads C");
    check(
        &at,
        &["test", "--no-verify", "-c", "path", "fine.c", "-f", "frobnicate"],
        2,
        "there is no function `frobnicate`; there are `absolute`",
    );
    check(&at, &["test", "--no-verify", "-c", "path", "fine.c", "--domain", "x=10..0"], 2, "--domain:1:3");
    check(&at, &["test", "--no-verify", "-c", "path", "fine.c", "--requires", "y > 0"], 2, "--requires:1:1");
    check(&at, &["test", "--no-verify", "-c", "path", "fine.c", "-o", "empty.c"], 2, "empty.c is a file");
    check(&at, &["test", "--no-verify", "-c", "path", "fine.c", "--property", "none.prp"], 2, "cannot read none.prp");
    let said = check(&at, &["test", "--no-verify", "-c", "path", "unknown.c"], 2, "'y' undeclared").stderr;
    assert!(!String::from_utf8_lossy(&said).contains("unsupported"), "what follows from an error is not said");
}

#[test]
fn files_in_the_way_are_told_before_anything_is_explored() {
    let at = folder("in_the_way");
    write(&at, "fine.c", ABSOLUTE);
    std::fs::create_dir(at.join("clew-out")).expect("the folder can be made");
    write(&at, "clew-out/report.html", b"mine\n");
    let said = check(
        &at,
        &["test", "--no-verify", "-c", "path", "fine.c"],
        2,
        "clew-out/report.html exists and was not generated",
    )
    .stderr;
    assert!(!String::from_utf8_lossy(&said).contains("executed"), "{}", String::from_utf8_lossy(&said));
}

#[test]
fn goals_say_where_they_stand_and_where_their_tests_are() {
    let at = folder("goals_said");
    write(&at, "fine.c", b"int low(unsigned x) { if (x == 3) return 1; return x & 7; }\n");
    check(&at, &["prove", "fine.c", "--checks"], 0, "nothing that is looked at can be undefined");
    check(&at, &["prove", "fine.c"], 2, "`--checks` looks at what may be undefined");
    check(&at, &["prove", "fine.c", "-f", "low", "--ensures", "\\result < 7"], 1, "ensures  --ensures: \\result < 7");
    check(&at, &["reach", "fine.c:1"], 0, "tests in clew-goals; run them: make -C clew-goals check");
}

#[test]
fn verdicts_name_their_assumptions() {
    let at = folder("assumptions");
    write(&at, "both.c", b"/*@ ensures \\result != 3; */\nint both(int *p, int *q) { *p = 1; *q = 2; return *p; }\n");
    let assumed = "* assumes: `p` and `q` do not overlap (separation; docs/trust.md)";
    check(&at, &["prove", "both.c"], 0, assumed);
    check(&at, &["prove", "both.c", "--summary", "json"], 0, "\"assumes\":[\"`p` and `q` do not overlap\"]");
    check(
        &at,
        &["prove", "both.c", "--assumptions", "strict"],
        3,
        "unknown: proved only if `p` and `q` do not overlap",
    );
    write(&at, "separated.c", b"/*@ requires \\separated(p, q); ensures \\result == 1; */\nint both(int *p, int *q) { *p = 1; *q = 2; return *p; }\n");
    check(&at, &["prove", "separated.c", "--assumptions", "strict"], 0, "proved (all paths");
    write(&at, "one.c", b"int g;\n/*@ ensures \\result != 3; */\nint one(int *p) { g = 1; *p = 2; return g; }\n");
    check(&at, &["prove", "one.c"], 0, "* assumes: `p` and `g` do not overlap");
    write(&at, "member.c", b"struct s { int a; };\n/*@ ensures \\result != 3; */\nint member(struct s *p, int *q) { p->a = 1; *q = 2; return p->a; }\n");
    check(&at, &["prove", "member.c"], 0, "* assumes: `p` and `q` do not overlap");
    write(&at, "escaped.c", b"int *keep; void ext(int);\nint f(void) { int l = 1; keep = &l; ext(0); keep = 0; if (l != 1) return 1; return 0; }\n");
    check(
        &at,
        &["test", "--no-verify", "escaped.c", "-c", "decision"],
        0,
        "* assumes: `ext` writes only to named variables",
    );
    write(&at, "plain.c", b"int plain(int a) { if (a > 3 && a < 2) return 1; return 0; }\n");
    check(
        &at,
        &["test", "--no-verify", "plain.c", "-c", "decision", "--assumptions", "strict"],
        0,
        "1 infeasible, 0 unknown",
    );
}

#[test]
fn assumptions_stand_in_every_output() {
    let at = folder("assumption-outputs");
    write(&at, "never.c", b"int never(int *p, int *q) { *p = 1; *q = 2; if (*p == 3) return 1; return 0; }\n");
    check(&at, &["test", "--no-verify", "never.c", "-c", "decision"], 0, "1 infeasible (1 under assumptions)");
    for file in ["suite.json", "report.html"] {
        let text = std::fs::read_to_string(at.join("clew-out").join(file)).expect("it was written");
        assert!(text.contains("`p` and `q` do not overlap"), "{file} names the assumption");
    }
    let strict = ["test", "--no-verify", "never.c", "-c", "decision", "--assumptions", "strict", "-o", "strict"];
    check(&at, &strict, 0, "infeasible only if `p` and `q` do not overlap");
}

#[test]
fn macros_go_by_their_names() {
    let at = folder("macros");
    let source = b"#include <ctype.h>
#include <stddef.h>
#define BUSY 0x04u
#define NEGATIVE(x) ((x) < 0)
int part(const int *p, unsigned status, int n)
{
    if (p == NULL || status & BUSY || NEGATIVE(n))
        return -1;
    if (isdigit(n) &&
        p != NULL)
        return 1;
    return BUSY / n;
}
";
    write(&at, "part.c", source);
    check(
        &at,
        &["test", "--no-verify", "part.c", "-c", "condition", "--deny", "findings"],
        1,
        "12 |     return BUSY / n;\n   |            ^^^^^^^^",
    );
    let code = std::fs::read_to_string(at.join("clew-out/test_part.c")).expect("test code was written");
    for text in ["`p == NULL`", "`status & BUSY`", "`NEGATIVE(n)`", "`isdigit(n)`"] {
        assert!(code.contains(text), "{text} is not in\n{code}");
    }
}

#[test]
fn help_teaches() {
    let at = folder("help");
    check(&at, &["--help"], 0, "Exit codes");
    for command in ["test", "reach", "prove", "evidence", "run", "ir", "cfg", "solve", "worker"] {
        check(&at, &[command, "--help"], 0, &format!("Examples:\n  clew {command}"));
    }
    check(&at, &["test", "--help"], 0, "--domain");
    check(&at, &["--version"], 0, "clew");
}

#[test]
fn ir_and_cfg_print() {
    let at = folder("print");
    write(&at, "fine.c", ABSOLUTE);
    check(&at, &["ir", "fine.c"], 0, "function f0 \"absolute\"");
    check(&at, &["ir", "fine.c", "--stats"], 0, "supported whole        1 (100.00 %)");
    check(&at, &["cfg", "fine.c", "--function", "absolute"], 0, "digraph");
    check(&at, &["cfg", "fine.c", "--function", "absolute", "--svg"], 0, "x &lt; 0");
}

#[test]
fn run_gives_output_status_and_reports() {
    let at = folder("run");
    write(
        &at,
        "hello.c",
        b"#include <stdio.h>\nint main(int c, char **v) { printf(\"%d %s\\n\", c, v[1]); return 7; }\n",
    );
    write(&at, "bounds.c", b"int a[3];\nint main(void) {\n  int i = 3;\n  return a[i];\n}\n");
    write(&at, "endless.c", b"int main(void) { for (;;) { } }\n");
    check(&at, &["run", "hello.c", "--", "arg"], 7, "2 arg");
    check(&at, &["run", "bounds.c"], 1, "bounds.c:4");
    check(&at, &["run", "endless.c", "--steps", "1000"], 3, "steps");
}

#[test]
fn solve_decides() {
    let at = folder("solve");
    let problem = "(declare-const x (_ BitVec 8)) (assert (= (bvmul x x) #x31)) (assert (bvult x #x10)) (check-sat)";
    write(&at, "square.smt2", problem.as_bytes());
    write(&at, "broken.smt2", b"(assert (= x 3)");
    for engine in ["auto", "cp", "sat"] {
        check(&at, &["solve", "square.smt2", "--engine", engine], 0, "sat");
    }
    check(&at, &["solve", "broken.smt2"], 2, "line 1");
}

#[test]
fn test_writes_code_that_passes_and_keeps_what_is_not_its_own() {
    let at = folder("test");
    write(&at, "fine.c", ABSOLUTE);
    let output = check(
        &at,
        &["test", "--no-verify", "-c", "path", "fine.c", "--errors", "assume-absent", "--summary", "json"],
        0,
        "\"tests\":2",
    );
    let json = String::from_utf8_lossy(&output.stdout).into_owned();
    for field in ["\"replayed\":2", "\"diverged\":0", "\"refuted_prefixes\":0", "\"stop\":\"exhausted\""] {
        assert!(json.contains(field), "{field} is missing in {json}");
    }
    let made = Command::new("make").args(["-C", "clew-out", "check"]).current_dir(&at).output().expect("make starts");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stdout));
    write(&at, "clew-out/test_fine.c", b"mine\n");
    check(&at, &["test", "--no-verify", "-c", "path", "fine.c"], 2, "was not generated");
    assert_eq!(std::fs::read(at.join("clew-out/test_fine.c")).expect("it is still there"), b"mine\n");
}

#[test]
fn a_profile_shows_phases_and_changes_no_result() {
    let at = folder("profile");
    write(&at, "fine.c", ABSOLUTE);
    let arguments = ["test", "--no-verify", "-c", "path", "fine.c", "--errors", "assume-absent"];
    let suite = || {
        let text = std::fs::read_to_string(at.join("clew-out/suite.json")).expect("it is there");
        let mut suite: serde_json::Value = serde_json::from_str(&text).expect("the suite is JSON");
        let command = suite["made"]["command"].take();
        (command.as_array().expect("there is a command").clone(), suite)
    };
    check(&at, &arguments, 0, "2 paths");
    let plain = suite();
    let output = check(&at, &[&arguments[..], &["--profile", "--summary", "json"]].concat(), 0, "native execution");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    for phase in ["read", "prepare", "absolute", "native build", "2 of 2 tests", "write", "all"] {
        assert!(said.contains(phase), "{phase} is missing in {said}");
    }
    assert!(String::from_utf8_lossy(&output.stdout).contains("\"cpu_seconds\":"));
    let (command, profiled) = suite();
    assert_eq!(profiled, plain.1);
    assert!(!command.contains(&"--profile".into()) && command.len() == plain.0.len() + 2, "{command:?}");
}

#[test]
fn findings_are_code_1_if_denied_and_name_line_and_values() {
    let at = folder("findings");
    write(&at, "fine.c", ABSOLUTE);
    check(&at, &["test", "--no-verify", "-c", "path", "fine.c"], 0, "x = -2147483648");
    let denied = ["test", "--no-verify", "-c", "path", "fine.c", "--deny", "findings"];
    check(&at, &denied, 1, "x = -2147483648");
    check(&at, &["test", "--no-verify", "-c", "path", "fine.c", "--domain", "x=-5..5"], 0, "2 paths");
}

#[test]
fn findings_are_ranked_and_told_once_for_each_cause() {
    let at = folder("causes");
    let text: &[u8] = b"struct s { int n, m; };
int f(struct s *s, int d) {
    int a = s->n + 1;
    int b = s->m - 1;
    return (a & b) / d;
}
";
    write(&at, "four.c", text);
    let four = ["test", "--no-verify", "--mutants", "never", "four.c"];
    let said = |output: Output| String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let output = said(check(&at, &four, 0, "3 findings (2 causes)"));
    let at_of = |words: &str| output.find(words).unwrap_or_else(|| panic!("{words}: {output}"));
    assert!(at_of("division by zero") < at_of("signed overflow"), "{output}");
    assert!(output.contains("ended by signal 8 (SIGFPE), which confirms it"), "{output}");
    assert!(output.contains("requires d != 0;") && output.contains("of the same cause, 1 more: in line"), "{output}");
    // What overflow does to a build without sanitizers shows nothing, however it ends.
    let overflow = said(check(&at, &[&four[..], &["--findings", "overflow"]].concat(), 0, "2 findings (1 cause)"));
    assert!(overflow.contains("which does not show it") && !overflow.contains("division"), "{overflow}");
    check(&at, &[&four[..], &["--findings", "memory", "--deny", "findings"]].concat(), 0, "0 findings");
}

#[test]
fn preconditions_that_cannot_be_used_point_at_their_clause() {
    let at = folder("precondition");
    write(&at, "never.c", b"/*@ requires x > 3 && x < 2; */\nint f(int x) { return x; }\n");
    write(&at, "odd.c", b"/*@ requires \\frobnicate(x); */\nint f(int x) { return x; }\n");
    check(&at, &["test", "--no-verify", "-c", "path", "never.c"], 2, "never.c:1");
    check(&at, &["test", "--no-verify", "-c", "path", "odd.c"], 2, "odd.c:1");
    check(&at, &["test", "--no-verify", "-c", "path", "never.c", "--domain", "y=0..1"], 2, "y");
}

#[test]
fn preconditions_in_c_are_recognised_named_and_refused() {
    let at = folder("precondition_in_c");
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/precond.c");
    std::fs::copy(corpus, at.join("precond.c")).expect("copied");
    write(
        &at,
        "named.c",
        b"int small(int x) { return x < 9; }\nint two(int x, int y) { return x < y; }\n\
        int g(int x) { if (x > 10) return 1; return 0; }\n",
    );
    check(
        &at,
        &["test", "--no-verify", "-c", "path", "precond.c", "--function", "sorted"],
        0,
        "3 paths; 3 prefixes refuted",
    );
    check(
        &at,
        &["test", "--no-verify", "-c", "path", "precond.c", "--function", "never"],
        2,
        "no input satisfies the precondition `never_precond`",
    );
    check(&at, &["test", "--no-verify", "-c", "path", "named.c", "--function", "g"], 0, "2 paths");
    check(
        &at,
        &["test", "--no-verify", "-c", "path", "named.c", "--function", "g", "--precondition", "small"],
        0,
        "1 path of 2 of the graph; 1 prefix refuted",
    );
    check(
        &at,
        &["test", "--no-verify", "-c", "path", "named.c", "--function", "g", "--precondition", "two"],
        2,
        "the parameters of `g`",
    );
    check(
        &at,
        &["test", "--no-verify", "-c", "path", "named.c", "--function", "g", "--precondition", "tall"],
        2,
        "no function `tall`",
    );
    write(&at, "clew.toml", b"[function.g]\nprecondition = \"small\"\n");
    check(&at, &["test", "--no-verify", "-c", "path", "named.c", "--function", "g"], 0, "1 path of 2 of the graph;");
}

#[test]
fn refuted_prefixes_are_explained() {
    let at = folder("explain");
    write(
        &at,
        "nested.c",
        b"/*@ requires y < 100; */\nint f(int x, int y) {\n  if (y > 7)\n    y = 7;\n  if (x > y + 200)\n    if (x < 3)\n      return 1;\n  return 0;\n}\n",
    );
    let output = check(
        &at,
        &["test", "--no-verify", "-c", "path", "nested.c", "--explain", "--domain", "y=0..50"],
        0,
        "refuted line 6: x < 3 is true",
    );
    let text = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("because line 5: x > y + 200 is true"), "{text}");
    assert!(text.contains("because line 6: x < 3 is true"), "{text}");
}

/// Prefixes with the same reasons are one family, whatever was decided between.
#[test]
fn refuted_prefixes_are_grouped() {
    let at = folder("families");
    let choices: String = (0..5).map(|bit| format!("  if (a & {}) s++;\n", 1 << bit)).collect();
    let text = format!(
        "int f(int x, int a) {{\n  int s = 0;\n  if (x <= 3)\n    return 0;\n{choices}  if (x < 2)\n    return 1;\n  return s;\n}}\n"
    );
    write(&at, "f.c", text.as_bytes());
    let arguments = ["test", "--no-verify", "-c", "path", "f.c", "--explain", "--summary", "json"];
    let output = check(&at, &arguments, 0, "refuted 32 prefixes, the first with line 10: x < 2 is true");
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the summary can be read");
    let function = &summary["functions"][0];
    assert_eq!((&function["tests"], &function["paths_of_graph"]), (&33.into(), &"65".into()), "{function}");
    assert_eq!(function["infeasible_paths"], "32", "{function}");
    assert_eq!(function["families"].as_array().map(Vec::len), Some(1), "{function}");
    assert_eq!(function["families"][0]["prefixes"], 32);
    assert_eq!(function["families"][0]["because"].as_array().map(Vec::len), Some(2), "{function}");
}

/// Temporary directories of clew in a folder.
fn left_behind(at: &Path) -> usize {
    let entries = std::fs::read_dir(at).expect("the folder is there").flatten();
    entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("clew-")).count()
}

#[test]
fn however_it_ends_no_temporary_directory_stays() {
    let at = folder("left_behind");
    write(&at, "bits.c", b"int f(unsigned x) { int n = 0; while (x) { if (x & 1) n++; x >>= 1; } return n; }\n");
    write(&at, "fine.c", ABSOLUTE);
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
        command.args(args).current_dir(&at).env("TMPDIR", &at).stderr(std::process::Stdio::null());
        command.stdout(std::process::Stdio::null()).spawn().expect("clew starts")
    };
    for (signal, left) in [("-INT", 0), ("-TERM", 0), ("-HUP", 0), ("-KILL", 1)] {
        let mut child = run(&["test", "--no-verify", "-c", "path", "bits.c", "--time", "3600", "-o", "suite"]);
        while left_behind(&at) == 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(50));
        Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill starts");
        assert!(!child.wait().expect("clew ends").success());
        assert_eq!(left_behind(&at), left, "after {signal}");
    }
    run(&["test", "--no-verify", "-c", "path", "fine.c", "-o", "suite"]).wait().expect("clew ends");
    assert_eq!(left_behind(&at), 0, "the next run sweeps");
}

#[test]
fn same_bytes_every_time() {
    let at = folder("deterministic");
    std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/merge.c"), at.join("merge.c")).expect("copied");
    let suite = |out: &str| {
        check(&at, &["test", "--no-verify", "merge.c", "-k", "2", "-o", out], 0, "Merge");
        std::fs::read(at.join(out).join("suite.json")).expect("the suite is there")
    };
    assert!(suite("one") == suite("two"), "two runs wrote different suites");
}

/// A limit on work cuts off a search that has no end at the same place each time, whatever else the machine does.
#[test]
fn effort_cuts_off_at_the_same_place() {
    let at = folder("effort");
    write(
        &at,
        "bits.c",
        b"int f(unsigned x, unsigned y) { int n = 0; while (x * y > 3) { if (x & 1) n++; x >>= 1; } return n; }\n",
    );
    let suite = |out: &str| {
        check(&at, &["test", "--no-verify", "-c", "path", "bits.c", "--effort", "0.1", "-o", out], 3, "(effort)");
        std::fs::read_to_string(at.join(out).join("suite.json")).expect("the suite is there")
    };
    let (one, two) = std::thread::scope(|scope| {
        let beside = scope.spawn(|| suite("two"));
        (suite("one"), beside.join().expect("the other run ends"))
    });
    assert!(one == two, "two runs wrote different suites");
    assert!(one.contains(r#""stop": "effort""#), "something else stopped the search:\n{one}");
}

#[test]
fn killed_at_any_moment_the_suite_is_readable() {
    let at = folder("killed");
    let source = b"int f(unsigned x) { int n = 0; while (x) { if (x & 1) n++; x >>= 1; } return n; }\n";
    write(&at, "bits.c", source);
    for round in 0..20 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_clew"))
            .args(["test", "--no-verify", "-c", "path", "bits.c", "--time", "3600"])
            .current_dir(&at)
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("clew starts");
        std::thread::sleep(Duration::from_millis(100 + 77 * round));
        child.kill().expect("clew can be killed");
        child.wait().expect("clew ends");
        if let Ok(text) = std::fs::read_to_string(at.join("clew-out/suite.json")) {
            let suite: serde_json::Value = serde_json::from_str(&text).expect("the suite is whole");
            assert_eq!(suite["format"], 1);
        }
    }
}

#[test]
fn tests_are_on_disk_before_the_next_one_is_found() {
    let at = folder("pending");
    let source = b"unsigned hash(const unsigned char *p, unsigned n) { unsigned h = 2166136261u; for (unsigned i = 0; i < n; i++) { \
        h ^= p[i]; h *= 16777619u; } return h == 0xdeadbeefu ? 1 : 0; }\n";
    write(&at, "hash.c", source);
    let mut child = Command::new(env!("CARGO_BIN_EXE_clew"))
        .args(["test", "--no-verify", "hash.c", "-c", "mcdc", "--time", "3600"])
        .current_dir(&at)
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("clew starts");
    // Ten minutes, which only a machine in trouble takes.
    let is_there = (0..6000).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        at.join("clew-out/suite.json").exists()
    });
    child.kill().expect("clew can be killed");
    child.wait().expect("clew ends");
    assert!(is_there, "the first tests were not written while others were looked for");
}

#[test]
fn settings_are_read_and_mistakes_in_them_have_a_line() {
    let at = folder("settings");
    write(&at, "fine.c", b"int f(int x) { if (x > 3) return 1; return 0; }\n");
    write(&at, "clew.toml", b"time = 20\n[function.f]\ndomain = [\"x=0..2\"]\n");
    check(&at, &["test", "--no-verify", "-c", "path", "fine.c"], 0, "1 path of 2 of the graph;");
    check(&at, &["test", "--no-verify", "-c", "path", "fine.c", "--config", "other.toml"], 2, "cannot read other.toml");
    write(&at, "empty.toml", b"");
    check(&at, &["test", "--no-verify", "-c", "path", "fine.c", "--config", "empty.toml"], 0, "2 paths");
    write(&at, "clew.toml", b"[function.f]\n\ndomain = [\"y=0..2\"]\n");
    check(&at, &["test", "--no-verify", "-c", "path", "fine.c"], 2, "clew.toml:3");
    write(&at, "clew.toml", b"[function.f]\nspeed = 1\n");
    check(&at, &["test", "--no-verify", "-c", "path", "fine.c"], 2, "clew.toml:2");
}

#[test]
fn preconditions_are_read_off_the_source() {
    let at = folder("inferred");
    let text: &[u8] = b"#include <assert.h>
int nth(const int values[static 3], int n, int by) { assert(n > 0); return values[n] / by; }
int sum(const int *data, int len) { int s = 0; for (int i = 0; i <= len; i++) s += data[i] & 1; return s; }
";
    write(&at, "nth.c", text);
    let nth = ["test", "--no-verify", "nth.c", "-c", "decision", "-f", "nth", "--deny", "findings"];
    check(&at, &nth, 1, "excluded by the precondition: requires by != 0;");
    check(&at, &nth, 1, "(taken with --assume inferred): requires n > 0;");
    check(&at, &nth, 1, "requires \\valid_read(values + (0 .. 2));");
    check(&at, &[&nth[..], &["--assume", "inferred"]].concat(), 1, "the access lies outside of its object");
    write(&at, "quotient.c", b"int quotient(int a, int b) { return a / b; }\nint next(int n) { return n + 1; }\n");
    check(
        &at,
        &["test", "--no-verify", "-c", "path", "quotient.c", "--deny", "findings"],
        1,
        "precondition: requires b != 0;",
    );
    let divided = [
        "test",
        "--no-verify",
        "-c",
        "path",
        "quotient.c",
        "-f",
        "quotient",
        "--requires",
        "b != 0",
        "--deny",
        "findings",
    ];
    check(&at, &divided, 1, "precondition: requires a != -2147483648 || b != -1;");
    check(&at, &[&divided[..], &["--requires", "a != -2147483648 || b != -1"]].concat(), 0, "0 findings");
    check(
        &at,
        &["test", "--no-verify", "-c", "path", "quotient.c", "-f", "next", "--deny", "findings"],
        1,
        "precondition: requires n <= 2147483646;",
    );
    let sum =
        ["test", "--no-verify", "nth.c", "-c", "decision", "-f", "sum", "--errors", "report", "--deny", "findings"];
    check(&at, &[&sum[..], &["--assume", "inferred"]].concat(), 1, "the access lies outside of its object");
}

#[test]
fn objectives_are_described_in_the_words_of_the_source() {
    let at = folder("words");
    write(&at, "range.c", b"#include <errno.h>\nint range(void) { if (errno == ERANGE) return 1; return 0; }\n");
    check(&at, &["test", "--no-verify", "range.c", "-c", "mcdc", "--values", "found"], 0, "2 executed");
    let code = std::fs::read_to_string(at.join("clew-out/test_range.c")).expect("test code was written");
    let purposes: Vec<&str> = code.lines().filter(|line| line.contains(" side of `errno == ERANGE`")).collect();
    assert_eq!(purposes.len(), 2, "each of two tests says once what it is for:\n{code}");
    assert!(purposes.iter().all(|line| !line.contains('#')), "{code}");
}
