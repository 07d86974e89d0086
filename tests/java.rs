//! Methods of Java, from class files to JUnit tests that pass.
//!
//! Without a JDK these tests are left out with a word, as is running the emitted tests without JUnit 5; `scripts/test`
//! installs both.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The jars of JUnit 5 that Debian's package has.
const JUNIT: [&str; 9] = [
    "junit-platform-console",
    "junit-platform-launcher",
    "junit-platform-reporting",
    "junit-platform-commons",
    "junit-platform-engine",
    "junit-jupiter-api",
    "junit-jupiter-engine",
    "apiguardian-api",
    "opentest4j",
];

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[expect(clippy::print_stderr, reason = "whoever runs the tests should know")]
fn is_installed(what: &str, file: &str) -> bool {
    let there = Command::new("sh").args(["-c", &format!("command -v {file} || test -f {file}")]).output();
    let there = there.is_ok_and(|output| output.status.success());
    if !there {
        eprintln!("{what} is not installed: its tests are left out");
    }
    there
}

/// Compiles a source of the corpus for a test; gives the folder with its classes.
fn compiled(test: &str, name: &str) -> PathBuf {
    let at = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("java").join(test).join(name);
    let _ = std::fs::remove_dir_all(&at);
    std::fs::create_dir_all(&at).expect("the folder can be made");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/jvm").join(format!("{name}.java"));
    let output = Command::new("javac").args(["-g", "-d"]).arg(at.join("classes")).arg(source).output();
    let output = output.expect("javac starts");
    assert!(output.status.success(), "{}", text(&output));
    at
}

/// Runs `clew test` on methods of a class.
fn clew(at: &Path, methods: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    command.current_dir(at).args(["test", "classes", "-o", "out", "--effort", "20", "--time", "3600"]);
    for method in methods {
        command.args(["--method", method]);
    }
    command.output().expect("it starts")
}

/// Compiles the emitted tests and runs them under JUnit 5.
fn passes(at: &Path) {
    if !is_installed("JUnit 5", "/usr/share/java/junit-jupiter-api.jar") {
        return;
    }
    let jars = JUNIT.map(|name| format!("/usr/share/java/{name}.jar")).join(":");
    let path = format!("{jars}:/usr/share/java/picocli.jar:/usr/share/java/univocity-parsers.jar");
    passes_under(at, &path, "org.junit.platform.console.ConsoleLauncher --scan-classpath=tested --details=tree");
}

/// Compiles the emitted tests and has a framework run them.
fn passes_under(at: &Path, path: &str, run: &str) {
    let line = format!(
        "javac -nowarn -cp classes:{path} -d tested $(find out -name '*.java') && java -cp {path}:classes:tested {run}"
    );
    let output = Command::new("sh").current_dir(at).args(["-c", &line]).output().expect("a shell starts");
    assert!(output.status.success(), "{}", text(&output));
}

/// A command about a source of the corpus, which clew compiles.
fn command(name: &str, arguments: &[&str]) -> Output {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("java").join("goals").join(name);
    std::fs::create_dir_all(&out).expect("the folder can be made");
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/jvm")).args(arguments).arg("-o").arg(out);
    command.output().expect("it starts")
}

/// Everything is decided, executed as predicted, and the emitted tests pass.
fn is_decided(test: &str, name: &str, methods: &[&str]) -> String {
    let at = compiled(test, name);
    let output = clew(&at, methods);
    let shown = text(&output);
    assert_eq!(output.status.code(), Some(0), "{shown}");
    passes(&at);
    shown
}

#[test]
fn numbers_strings_and_objects_become_tests() {
    if !is_installed("a JDK", "javac") {
        return;
    }
    is_decided(
        "inputs",
        "Mixed",
        &["Mixed.sum", "Mixed.grade", "Mixed.divide", "Mixed.choose", "Mixed.Mixed", "Mixed.put"],
    );
}

#[test]
fn what_no_input_does_is_infeasible() {
    if !is_installed("a JDK", "javac") {
        return;
    }
    let shown = is_decided("never", "Mixed", &["Mixed.never"]);
    assert!(shown.contains("1 infeasible"), "{shown}");
    assert!(shown.contains("* assumes: static fields are") && shown.contains("(java-model; docs/trust.md)"), "{shown}");
}

#[test]
fn references_may_lead_to_one_object() {
    if !is_installed("a JDK", "javac") {
        return;
    }
    let at = compiled("aliases", "Aliases");
    for method in ["Aliases.written", "Aliases.arrays", "Aliases.parent"] {
        let output = clew(&at, &[method]);
        let shown = text(&output);
        assert_eq!(output.status.code(), Some(0), "{shown}");
        assert!(shown.contains(" 0 infeasible"), "{shown}");
    }
    passes(&at);
}

#[test]
fn programs_of_jaut_are_covered() {
    if !is_installed("a JDK", "javac") {
        return;
    }
    is_decided("jaut", "CyclicRef", &["CyclicRef.self"]);
    is_decided("jaut", "TypeVar", &["TypeVar.call"]);
    is_decided("jaut", "Coord", &["Coord.moveY"]);
    is_decided("jaut", "Trityp", &["Trityp.trityp"]);
}

#[test]
fn a_folder_is_tested_as_a_whole() {
    if !is_installed("a JDK", "javac") {
        return;
    }
    let shown = is_decided("whole", "Functions", &[]);
    assert!(shown.contains("methods, ") && shown.contains(" 0 diverged") && shown.contains(" 0 unknown"), "{shown}");
}

#[test]
fn mistakes_of_the_user_have_one_clear_error() {
    if !is_installed("a JDK", "javac") {
        return;
    }
    let at = compiled("mistakes", "CyclicRef");
    for (method, said) in [("Missing.method", "no class `Missing`"), ("CyclicRef.missing", "no method `missing`")] {
        let output = clew(&at, &[method]);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        assert!(text(&output).contains(said), "{}", text(&output));
    }
    std::fs::write(at.join("classes/Broken.class"), [0xca, 0xfe, 0xba, 0xbe, 0, 0]).expect("the file can be written");
    let output = clew(&at, &["Broken.method"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
}

#[test]
fn lines_and_instructions_are_reached() {
    if !is_installed("a JDK", "javac") {
        return;
    }
    for goal in ["Coord.java:15", "JautFoo.java:14", "CyclicRef.java:11", "TypeVar.java:16", "RedBlackTree.java:29"] {
        let output = command("reach", &["reach", goal]);
        assert_eq!(output.status.code(), Some(0), "{goal}: {}", text(&output));
        assert!(text(&output).contains("covered"), "{goal}: {}", text(&output));
    }
    let output = command("reach", &["reach", "Coord.java", "Coord.moveY@51"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let output = command("reach", &["reach", "Goals.java:87"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains("infeasible"), "{}", text(&output));
    let output = command("reach", &["reach", "Coord.java:1"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
}

/// The lines of `Goals.java` whose comment says this.
fn lines_with(comment: &str) -> Vec<usize> {
    let lines = include_str!("jvm/Goals.java").lines().zip(1..);
    lines.filter(|(line, _)| line.contains(&format!("// {comment}"))).map(|(_, number)| number).collect()
}

#[test]
fn assertions_and_exceptions_of_the_jvm_are_proved_or_violated() {
    if !is_installed("a JDK", "javac") {
        return;
    }
    let output = command("prove", &["prove", "Goals.java", "--checks"]);
    let shown = text(&output);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    let told = |line: usize| shown.lines().filter(move |told| told.contains(&format!("line {line}: ")));
    for line in lines_with("violated") {
        assert!(told(line).any(|told| told.contains("violated")), "line {line}: {shown}");
    }
    for line in lines_with("proved") {
        assert!(told(line).all(|told| told.contains("proved")), "line {line}: {shown}");
    }
    assert!(!shown.contains("unknown"), "{shown}");
}

#[test]
fn tests_are_written_for_other_frameworks() {
    if !is_installed("a JDK", "javac") {
        return;
    }
    let at = compiled("frameworks", "Mixed");
    for (framework, jars, run) in [
        ("junit4", "junit4.jar:/usr/share/java/hamcrest-core.jar", "org.junit.runner.JUnitCore"),
        ("testng", "testng.jar:/usr/share/java/jcommander.jar:/usr/share/java/bsh.jar", "org.testng.TestNG -testclass"),
    ] {
        let _ = std::fs::remove_dir_all(at.join("out"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
        command.current_dir(&at).args(["test", "classes", "-o", "out", "--effort", "20", "--time", "3600"]);
        let output = command.args(["--method", "Mixed", "--emit", framework]).output().expect("it starts");
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        let first = jars.split(':').next().unwrap_or_default();
        if !is_installed(framework, &format!("/usr/share/java/{first}")) {
            continue;
        }
        let separator = if framework == "testng" { "," } else { " " };
        let classes = format!("$(ls out/*.java | xargs -n1 basename -s .java | paste -sd '{separator}')");
        passes_under(&at, &format!("/usr/share/java/{jars}"), &format!("{run} {classes}"));
    }
}
