//! Generated test code with the real frameworks: it compiles without warnings, passes, and fails when the program is
//! changed. A framework that is not installed is left out with a word, and fails in CI; `scripts/test` installs them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const FUNCTIONS: [&str; 8] = ["integers", "arrays", "structures", "floats", "hidden", "globals", "reverse", "endings"];

fn folder(name: &str) -> PathBuf {
    clew_testing::folder(env!("CARGO_TARGET_TMPDIR"), "emit", name)
}

fn shared(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/emit").join(name)
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Whether the compiler finds a header.
fn has(header: &str) -> bool {
    let mut words = header.split_whitespace();
    let (compiler, header) = (words.next().expect("a compiler"), words.next().expect("a header"));
    // Standard input has no ending that would tell the language, so it is C even for `c++`.
    let language = if compiler == "c++" { "c++" } else { "c" };
    let line = format!("echo '#include <{header}>' | {compiler} -x {language} -E - >/dev/null 2>&1");
    Command::new("sh").args(["-c", &line]).status().expect("a shell starts").success()
}

/// Generates tests of a program for a framework; gives the folder.
fn generate(name: &str, program: &str, framework: &str, functions: &[&str]) -> PathBuf {
    generate_for(&["-k", "2"], name, program, framework, functions)
}

/// The same for something to cover.
fn generate_for(what: &[&str], name: &str, program: &str, framework: &str, functions: &[&str]) -> PathBuf {
    let from = shared(program);
    let program = from.file_name().and_then(|name| name.to_str()).expect("a file has a name");
    let at = folder(&format!("{name}-{program}"));
    std::fs::copy(&from, at.join(program)).expect("the file can be used");
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    command.current_dir(&at).args(["test", "--no-verify", program, "--emit", framework, "-o", "out"]).args(what);
    functions.iter().for_each(|function| {
        command.args(["--function", function]);
    });
    let output = command.output().expect("it starts");
    assert!(matches!(output.status.code(), Some(0 | 1 | 3)), "{}", text(&output));
    at
}

fn make(at: &Path, targets: &[&str]) -> Output {
    let shared = shared("");
    let mut command = Command::new("make");
    // Warnings of generated code are errors; the stand-in for Unity needs its folder and no library.
    command.args(["-s", "-j2", "-C", "out", "CFLAGS=-Wall -Wextra -Werror -g", "CXXFLAGS=-Wall -Wextra -Werror"]);
    command.arg(format!("CPPFLAGS=-I{}", shared.display())).args(targets).current_dir(at);
    if at.file_name().is_some_and(|name| name.to_string_lossy().starts_with("unity")) {
        command.arg("LDLIBS=-lm");
    }
    command.output().expect("it starts")
}

/// Expects that the suites for a framework pass, and fail when the program changed.
fn check(framework: &str, header: &str) {
    if !has(header) {
        clew_testing::missing(framework);
        return;
    }
    let at = generate(framework, "varied.c", framework, &FUNCTIONS);
    let output = make(&at, &["check"]);
    assert!(output.status.success(), "{framework}: {}", text(&output));
    let source = at.join("varied.c");
    let changed =
        std::fs::read_to_string(&source).expect("the file can be used").replace("x - 3 : 3 - x", "x - 3 : 4 - x");
    std::fs::write(&source, changed).expect("the file can be used");
    let output = make(&at, &["test_varied"]);
    assert!(output.status.success(), "{framework}: {}", text(&output));
    let output = Command::new("./test_varied").current_dir(at.join("out")).output().expect("it starts");
    assert!(!output.status.success(), "{framework} does not notice a change: {}", text(&output));
    passes(framework, "remembers.c", &["remembers"]);
    passes(framework, "../corpus/stubs.c", &["aggregates", "outputs", "pointers", "library"]);
    passes_after_earlier_calls(framework);
}

fn passes(framework: &str, program: &str, functions: &[&str]) {
    let at = generate(framework, program, framework, functions);
    let output = make(&at, &["check"]);
    assert!(output.status.success(), "{framework}: {}", text(&output));
}

/// Expects that tests with earlier calls pass, and fail when what they leave behind changed.
fn passes_after_earlier_calls(framework: &str) {
    let remember = ["debounce", "count_to_twenty", "follows", "by_value", "sum_of_all", "fails_three_times", "ends"];
    let program = "../corpus/units/static_state.c";
    let at = generate_for(&["-c", "mcdc"], &format!("{framework}-calls"), program, framework, &remember);
    let output = make(&at, &["check"]);
    assert!(output.status.success(), "{framework}: {}", text(&output));
    let tests = std::fs::read_to_string(at.join("out/test_static_state.c")).expect("there are tests");
    let sequence = "    debounce(1);\n    debounce(1);\n    int result = debounce(1);\n";
    assert!(tests.contains(sequence), "{framework}: {tests}");
    let tests = std::fs::read_to_string(at.join("out/test_static_state.c")).expect("there are tests");
    assert!(tests.contains("call < 19; call++)\n        count_to_twenty(1);\n"), "{framework}: {tests}");
    let source = at.join("static_state.c");
    let text_of = std::fs::read_to_string(&source).expect("the file can be used");
    std::fs::write(&source, text_of.replace("count >= 3", "count >= 4")).expect("the file can be used");
    let output = make(&at, &["test_static_state"]);
    assert!(output.status.success(), "{framework}: {}", text(&output));
    let output = Command::new("./test_static_state").current_dir(at.join("out")).output().expect("it starts");
    assert!(!output.status.success(), "{framework} does not notice a change: {}", text(&output));
}

#[test]
fn plain() {
    check("plain", "cc stddef.h");
}

/// With a header of our own in the place of Unity's.
#[test]
fn unity() {
    check("unity", "cc stddef.h");
}

#[test]
fn cmocka() {
    // `cmocka.h` needs other headers before it.
    check("cmocka", "cc cmocka_pbc.h");
}

#[test]
fn check_framework() {
    check("check", "cc check.h");
}

#[test]
fn gtest() {
    check("gtest", "c++ gtest/gtest-spi.h");
}

/// What is linked by the C++ compiler is instrumented as well.
#[test]
fn evidence_measures_tests_for_gtest() {
    if !has("c++ gtest/gtest-spi.h") {
        clew_testing::missing("gtest");
        return;
    }
    let at = generate("gtest-evidence", "varied.c", "gtest", &["hidden"]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    let said = text(&command.args(["evidence", "out"]).current_dir(&at).output().expect("it starts"));
    assert!(!said.contains("cannot be built for gcov"), "{said}");
}

#[test]
fn criterion() {
    check("criterion", "cc criterion/criterion.h");
}

#[test]
fn cpputest() {
    check("cpputest", "c++ CppUTest/TestHarness_c.h");
}

#[test]
fn cunit() {
    check("cunit", "cc CUnit/Basic.h");
}

#[test]
fn several_frameworks_have_a_directory_each() {
    let at = folder("several");
    std::fs::copy(shared("varied.c"), at.join("varied.c")).expect("the file can be used");
    let run = |emit: &str, out: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
        command
            .args([
                "test",
                "--no-verify",
                "-c",
                "path",
                "varied.c",
                "--function",
                "hidden",
                "--emit",
                emit,
                "-o",
                out,
                "--deny",
                "findings",
            ])
            .current_dir(&at);
        command.output().expect("it starts")
    };
    assert_eq!(run("cunit,plain,plain", "out").status.code(), Some(1), "an overflow is found");
    for file in ["Makefile", "suite.json", "plain/test_varied.c", "plain/CMakeLists.txt", "cunit/Makefile"] {
        assert!(at.join("out").join(file).is_file(), "{file}");
    }
    assert_eq!(run("junit5", "other").status.code(), Some(2));
}

/// A test that a criterion asks for is named after the branch it is for, not after the loop that it leaves last.
#[test]
fn tests_are_named_after_what_they_are_for() {
    let at = folder("named");
    let source = "int count(const char *s, int n) { int found = 0; for (int i = 0; i < n; i++) if (s[i] == 'x') found++; return found; }\n";
    std::fs::write(at.join("count.c"), source).expect("the file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    command.current_dir(&at).args(["test", "--no-verify", "count.c", "-c", "decision", "-o", "out"]);
    let output = command.output().expect("it starts");
    assert!(output.status.code() == Some(0), "{}", text(&output));
    let tests = std::fs::read_to_string(at.join("out/test_count.c")).expect("there are tests");
    assert!(tests.contains("test_count_returns_1_if_s_i_is_x("), "{tests}");
}

/// Values are written as the source has them: states by name, masks in hexadecimal, what is no state as a cast.
#[test]
fn values_are_written_as_in_the_source() {
    let at = folder("values");
    let source = "typedef enum { IDLE, ARMED, FAULT } state;\n\
        char mark(state s) { switch (s) { case IDLE: return 'i'; case ARMED: return 'a'; default: return '?'; } }\n\
        state step(state s, unsigned status) { if (status & 0x80u) return FAULT; return s == ARMED ? IDLE : s; }\n";
    std::fs::write(at.join("states.c"), source).expect("the file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    let output = command
        .args(["test", "--no-verify", "states.c", "-c", "mcdc", "--values", "found", "-o", "out"])
        .current_dir(&at)
        .output();
    let output = output.expect("it starts");
    assert!(output.status.success(), "{}", text(&output));
    let mark = std::fs::read_to_string(at.join("out/test_states.c")).expect("there is test code");
    for wanted in ["test_mark_returns_i_if_s_is_idle(", "goes to case ARMED of `switch (s)`", "mark((state)-1)"] {
        assert!(mark.contains(wanted), "{wanted} is not in\n{mark}");
    }
    let step = &mark;
    for wanted in ["0x80u)", "test_step_returns_fault_if_", "takes the true side of `status & 0x80u`"] {
        assert!(step.contains(wanted), "{wanted} is not in\n{step}");
    }
    let output = make(&at, &["check"]);
    assert!(output.status.success(), "{}", text(&output));
}

/// The bytes of an extended float that it does not use hold anything: they are neither looked at nor told.
#[test]
fn extended_floats_are_told_and_asserted() {
    let at = folder("extended");
    let source = "struct flags { unsigned ready : 1; int level : 4; };\n\
        long double half(long double x, struct flags f) { return f.level == -3 && x > 1.5L ? x / 2 : -x; }\n";
    std::fs::write(at.join("half.c"), source).expect("the file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    command.args(["test", "--no-verify", "half.c", "-c", "mcdc", "-o", "out", "--explain"]);
    let output = command.current_dir(&at).output().expect("it starts");
    let said = text(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains(".level = -3"), "bit-fields are not told:\n{said}");
    let code = std::fs::read_to_string(at.join("out/test_half.c")).expect("there is test code");
    let (calls, asserted) = (code.matches("half(").count(), code.matches("CHECK(result").count());
    assert_eq!(calls, asserted, "{said}\n{code}");
    assert!(make(&at, &["check"]).status.success(), "{code}");
}

#[test]
fn constant_characters_are_text() {
    let at = folder("text");
    std::fs::write(at.join("first.c"), "int first(const char *s) { return s[0] == '=' && s[1] == '\\t'; }")
        .expect("the file can be used");
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    let output = command
        .args(["test", "--no-verify", "-c", "path", "first.c", "-o", "out"])
        .current_dir(&at)
        .output()
        .expect("it starts");
    assert!(output.status.success(), "{}", text(&output));
    let code = std::fs::read_to_string(at.join("out/test_first.c")).expect("there is test code");
    assert!(code.contains("char s[3] = \"=\\t\";"), "{code}");
    assert!(make(&at, &["check"]).status.success(), "{code}");
}

#[test]
fn other_files_of_the_program_are_linked() {
    let at = folder("files");
    let files = [
        ("one.c", "extern int level;\nint half(int);\nint one(int x) { return level > 3 ? half(x) : x; }\n"),
        ("two.c", "int level = 2;\nint half(int x) { return x / 2; }\n"),
        ("other.c", "int main(void) { return 0; }\n"),
    ];
    for (name, text) in files {
        std::fs::write(at.join(name), text).expect("the file can be used");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    command
        .args(["test", "--no-verify", "-c", "path", "one.c", "two.c", "other.c", "--function", "one", "-o", "out"])
        .current_dir(&at);
    let output = command.output().expect("it starts");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let output = make(&at, &["check"]);
    assert!(text(&output).contains("one: 2 tests, 2 passed, 0 failed, 0 skipped"), "{}", text(&output));
}

#[test]
fn ctest_runs_the_suite() {
    if Command::new("cmake").arg("--version").output().is_err() {
        clew_testing::missing("cmake");
        return;
    }
    let at = generate("ctest", "varied.c", "plain", &["hidden", "arrays"]);
    let script = "cmake -S out -B build >/dev/null && cmake --build build >/dev/null && ctest --test-dir build";
    let output = Command::new("sh").args(["-c", script]).current_dir(&at).output().expect("it starts");
    assert!(text(&output).contains("100% tests passed, 0 tests failed out of 1"), "{}", text(&output));
}

/// What the command says of the tests that it wrote, built with the real frameworks, is that they pass.
fn is_green(program: &str) {
    let at = folder(&format!("green-{program}"));
    std::fs::copy(shared(program), at.join(program)).expect("the file can be used");
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    command.args(["test", program, "--emit", "plain,cmocka,check,cunit", "-o", "out"]).current_dir(&at);
    let output = command.output().expect("it starts");
    let said = text(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("✓ plain: ") && !said.contains("✗"), "{said}");
    assert!(!said.contains("warning: unused") && !said.contains("redefined"), "{said}");
}

#[test]
fn names_of_the_source_do_not_collide_with_headers() {
    is_green("collides.c");
}

#[test]
fn calls_that_end_their_process_are_tested_by_every_framework() {
    is_green("endings.c");
}

/// Findings are programs that sanitizers end, apart from the tests.
#[test]
fn findings_are_reproduced_by_sanitizers() {
    let at = folder("findings");
    let source = "int next(int n) { return n + 1; }\nint nth(unsigned n) { static const int t[3] = {5, 6, 7}; return t[n]; }\n\
        int ratio(int a, int b) { return a / b; }\n";
    std::fs::write(at.join("three.c"), source).expect("the file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    let output = command.args(["test", "--mutants", "never", "three.c", "-o", "out"]).current_dir(&at).output();
    let output = output.expect("it starts");
    assert!(output.status.success(), "{}", text(&output));
    let output = make(&at, &["findings"]);
    assert!(output.status.success(), "{}", text(&output));
    assert!(text(&output).contains("three: 3 findings, 3 reproduced"), "{}", text(&output));
}

/// Test code that does not pass is told with its log.
#[test]
fn test_code_that_fails_as_written_is_shown() {
    let at = folder("red");
    // The test file includes it by another name.
    let source = "int size(int x) { return x > 3 ? (int)sizeof __FILE__ : 0; }\n";
    std::fs::write(at.join("red.c"), source).expect("the file can be written");
    let run = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
        command.args(["test", "red.c", "-o", "out"]).args(more).current_dir(&at);
        command.output().expect("it starts")
    };
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains("not so: result == "), "{}", text(&output));
    assert_eq!(run(&["--no-verify"]).status.code(), Some(0));
}

/// A program whose tests are to stay as they are.
const STABLE: &str = "int get(int port);
static int limit(int x, int lo, int hi) { if (x < lo) return lo; if (x > hi) return hi; return x; }
int poll_all(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        int value = get(i);
        if (value < 0)
            return -1;
        sum += value;
    }
    return limit(sum, 0, 100);
}
int parse(const char *text, int length)
{
    int value = 0;
    if (length < 0)
        return -22;
    for (int i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        value = value * 10 + (text[i] - '0');
    }
    return value;
}
";

/// Writes a program and its tests into a folder.
fn regenerate(at: &Path, source: &str, more: &[&str]) -> Output {
    std::fs::write(at.join("stable.c"), source).expect("the file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    command.args(["test", "stable.c", "-c", "decision", "--effort", "5", "-o", "out"]).args(more).current_dir(at);
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{}", text(&output));
    output
}

/// The tests of a file with what is said above them, in their order.
fn tests_of(at: &Path) -> Vec<String> {
    let code = std::fs::read_to_string(at.join("out/test_stable.c")).expect("there is test code");
    let parts = code.split("\n\n").filter(|part| part.contains("static void test_"));
    parts.map(str::to_owned).collect()
}

#[test]
fn tests_keep_their_bytes_over_edits_of_the_source() {
    let at = folder("stable");
    regenerate(&at, STABLE, &[]);
    let before = tests_of(&at);
    assert!(before.len() > 8, "{before:?}");
    let (first, rest) = STABLE.split_once("int parse(").expect("it is there");
    let (head, polling) = first.split_once("int poll_all(").expect("it is there");
    // Each edit, with words of the names of tests that it changes.
    let edits: [(String, &[&str]); 10] = [
        (format!("/* A comment. */\n\n{STABLE}"), &[]),
        (STABLE.replace("sum", "total"), &[]),
        (STABLE.replace("value", "number"), &[]),
        (STABLE.replace("int i = 0; i < n; i++", "int k = 0; k < n; k++").replace("get(i)", "get(k)"), &[]),
        (format!("{head}int parse({rest}int poll_all({polling}"), &[]),
        (format!("{STABLE}int twice(int x) {{ return x > 0 ? x + x : 0; }}\n"), &[]),
        (STABLE.replace("return -22", "return -23"), &["minus_22"]),
        (STABLE.replace("sum, 0, 100", "sum, 0, 90"), &["poll_all"]),
        (
            STABLE.replace("    if (length < 0)", "    if (length > 1000)\n        return -7;\n    if (length < 0)"),
            &["minus_22"],
        ),
        (STABLE.replace("    return value;", "    if (value == 77)\n        value = 0;\n    return value;"), &[]),
    ];
    for (source, changed) in &edits {
        regenerate(&at, STABLE, &[]);
        regenerate(&at, source, &[]);
        let after = tests_of(&at);
        let is_kept = |test: &&String| !changed.iter().any(|word| test.contains(word));
        let kept: Vec<&String> = before.iter().filter(is_kept).collect();
        let found: Vec<&String> = after.iter().filter(|test| before.contains(test)).filter(is_kept).collect();
        assert_eq!(kept, found, "{source}");
    }
    // What is asked for besides comes behind what was there, and that stays.
    regenerate(&at, STABLE, &[]);
    regenerate(&at, STABLE, &["-c", "mcdc,boundary", "--given", "out"]);
    let found: Vec<String> = tests_of(&at).into_iter().filter(|test| before.contains(test)).collect();
    assert_eq!(before, found);
}

#[test]
fn own_lines_of_a_test_file_stay() {
    let at = folder("own_lines");
    regenerate(&at, STABLE, &[]);
    let path = at.join("out/test_stable.c");
    let code = std::fs::read_to_string(&path).expect("there is test code");
    let line = "    CHECK(result == -22);\n";
    let own = "    /* clew: keep */\n    CHECK(parse(\"7\", 1) == 7);\n    /* clew: end */\n";
    let edited = code.replace(line, &format!("{line}{own}"));
    std::fs::write(&path, &edited).expect("the file can be written");
    let said = text(&regenerate(&at, STABLE, &[]));
    assert!(!said.contains("changed by hand"), "{said}");
    assert_eq!(std::fs::read_to_string(&path).expect("there is test code"), edited);
    // Other lines are replaced, but not lost.
    std::fs::write(&path, edited.replace("static int failures;", "static int failures; /* mine */"))
        .expect("it can be written");
    let said = text(&regenerate(&at, STABLE, &[]));
    assert!(said.contains("test_stable.c.edited"), "{said}");
    assert_eq!(std::fs::read_to_string(&path).expect("there is test code"), edited);
}

/// The order of calls of different functions is asserted where that is asked for, and a change of it is noticed.
#[test]
fn the_order_of_calls_is_asserted() {
    let at = folder("order");
    let source = "int get(int port); void put(int x); int copy(int n)\n{\n    int v = get(1);\n    put(2);\n    \
        return v > n ? get(3) : 0;\n}\n";
    std::fs::write(at.join("order.c"), source).expect("the file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    let words = ["test", "order.c", "--call-order", "--effort", "5", "--emit", "plain,cmocka", "-o", "out"];
    let output = command.args(words).current_dir(&at).output().expect("it starts");
    assert!(output.status.success() && !text(&output).contains('✗'), "{}", text(&output));
    let code = std::fs::read_to_string(at.join("out/plain/test_order.c")).expect("there is test code");
    assert!(code.contains("calls_were(\"get put get \")"), "{code}");
    let swapped = source.replace("int v = get(1);\n    put(2);", "put(2);\n    int v = get(1);");
    std::fs::write(at.join("order.c"), swapped).expect("the file can be written");
    let output = Command::new("make").args(["-s", "-C", "out/plain", "check"]).current_dir(&at).output();
    assert!(!output.expect("it starts").status.success(), "a change of the order is not noticed");
}
