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
    let line = format!(
        "javac -nowarn -cp classes:{path} -d tested $(find out -name '*.java') && \
         java -cp {path}:classes:tested org.junit.platform.console.ConsoleLauncher --scan-classpath=tested --details=tree"
    );
    let output = Command::new("sh").current_dir(at).args(["-c", &line]).output().expect("a shell starts");
    assert!(output.status.success(), "{}", text(&output));
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
