//! `clew rules` as a user runs it: verdicts, files, exit codes, an implementation in C and a wrong one.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder(name: &str) -> PathBuf {
    clew_testing::folder(env!("CARGO_TARGET_TMPDIR"), "rules", name)
}

/// Runs `clew rules` with a specification and further words, writing to a folder.
fn rules(spec: &Path, out: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    command.arg("rules").arg(spec).args(words).arg("--out").arg(out).output().expect("clew starts")
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name)
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A file with a text.
fn file(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("the folder can be written");
    path
}

const PLUS: &str = "data nat = 0 | S nat.\nfunction plus :=\n  <plus.r1> n -> 0 => (plus n m) -> m;\n  \
    <plus.r2> n -> (S p) => (plus n m) -> (S (plus p m)).\n";

#[test]
fn a_suite_has_verdicts_tests_and_a_page() {
    let folder = folder("suite");
    let spec = file(&folder, "plus.jsl", PLUS);
    let out = folder.join("out");
    let output = rules(&spec, &out, &["--summary", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).expect("the summary is JSON");
    assert_eq!((&summary["covered"], &summary["unknown"]), (&2.into(), &0.into()));
    let text = std::fs::read_to_string(out.join("rules.json")).expect("the suite is written");
    let suite: Value = serde_json::from_str(&text).expect("the suite is JSON");
    assert_eq!(suite["tests"][0]["abstract"]["arguments"], serde_json::json!(["0", "m"]));
    assert_eq!(suite["tests"][0]["results"], serde_json::json!(["0"]));
    let page = std::fs::read_to_string(out.join("report.html")).expect("the page is written");
    assert!(page.contains("covered by plus_r1") && page.contains("&lt;plus.r2&gt;"));
    let again = folder.join("again");
    rules(&spec, &again, &[]);
    assert_eq!(text, std::fs::read_to_string(again.join("rules.json")).expect("the suite is written"));
}

#[test]
fn expressions_are_evaluated() {
    let folder = folder("eval");
    let spec = file(&folder, "plus.jsl", PLUS);
    let output = rules(&spec, &folder, &["--eval", "plus (S 0) (S 0)"]);
    assert_eq!((output.status.code(), said(&output).as_str()), (Some(0), "S (S 0)\n"));
    let output = rules(&spec, &folder, &["--eval", "plus 0"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("takes 2 arguments"), "{}", said(&output));
}

#[test]
fn mistakes_have_a_caret() {
    let folder = folder("mistakes");
    let spec = file(&folder, "bad.jsl", "data nat = 0 | S nat.\nfunction f := <f.r1> (f n) -> m.\n");
    let output = rules(&spec, &folder, &[]);
    assert_eq!(output.status.code(), Some(2));
    let said = said(&output);
    assert!(said.contains("bad.jsl:2") && said.contains('^') && said.contains("unbound"), "{said}");
}

#[test]
fn warnings_have_a_witness() {
    let folder = folder("warnings");
    let text =
        "data nat = 0 | S nat.\nfunction f :=\n  <f.r1> n -> 0 => (f n) -> 0;\n  <f.r2> n -> 0 => (f n) -> (S 0).\n";
    let output = rules(&file(&folder, "doubtful.jsl", text), &folder, &[]);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("`f.r1` and `f.r2` overlap and disagree: (f 0) rewrites to 0"), "{said}");
    assert!(said.contains("missing case: no rule fires for (f (S 0))"), "{said}");
}

#[test]
fn integers_are_decided_by_the_solver() {
    let folder = folder("integers");
    let text = "data bool = True | False.\nfunction f :=\n  <f.r1> ((x * x) < 50) -> True, (40 < (x * x)) -> True, (0 < x) -> True, (x < 100) -> True => (f x) -> x;\n  \
        <f.r2> (x < 3) -> True, (5 < x) -> True => (f x) -> 0.\n";
    let output = rules(&file(&folder, "int.jsl", text), &folder, &["--integers", "--summary", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).expect("the summary is JSON");
    assert_eq!((&summary["covered"], &summary["infeasible"]), (&1.into(), &1.into()));
}

#[test]
fn an_implementation_is_compared_with_the_rules() {
    let folder = folder("implementation");
    let adapter = example("jcvm.toml");
    let words = ["--adapter", adapter.to_str().expect("the path is text"), "--no-warnings"];
    let output = rules(&example("jcvm.jsl"), &folder.join("right"), &words);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let source = std::fs::read_to_string(example("jcvm.c")).expect("the example is there");
    file(&folder, "jcvm.c", &source.replace("slot->value.number += x", "slot->value.number -= x"));
    let text = std::fs::read_to_string(&adapter).expect("the example is there");
    let wrong = file(&folder, "jcvm.toml", &text);
    let wrong = wrong.to_str().expect("the path is text");
    // One suite of random terms may miss it; of six, one does not.
    let finds = |seed: &str| {
        let words = ["--adapter", wrong, "--no-warnings", "-f", "inc", "--random", "6", "--seed", seed];
        let output = rules(&example("jcvm.jsl"), &folder.join(format!("wrong-{seed}")), &words);
        let is_found = said(&output).contains("difference: inc.");
        assert_eq!(output.status.code(), Some(i32::from(is_found)), "{}", said(&output));
        is_found
    };
    assert!(["0", "1", "2", "3", "4", "5"].into_iter().any(finds));
}

#[test]
fn agreement_is_proved_up_to_a_size() {
    let folder = folder("agree");
    let spec = file(&folder, "plus.jsl", PLUS);
    file(&folder, "plus.c", "static unsigned add(unsigned a, unsigned b)\n{\n    return a + b;\n}\n");
    let adapter = "source = \"plus.c\"\n[types.nat]\nc = \"unsigned\"\nconstructors = { 0 = \"0u\", S = \"({0} + 1u)\" }\n\
        [functions.plus]\ncall = \"add({0}, {1})\"\n";
    let adapter = file(&folder, "plus.toml", adapter);
    let words = ["--adapter", adapter.to_str().expect("the path is text"), "--agree", "12"];
    let output = rules(&spec, &folder.join("out"), &words);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("agrees with the rules on all 66 arguments up to size 12"), "{}", said(&output));
}
