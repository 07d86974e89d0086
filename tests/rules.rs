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

/// Runs clew with a folder as the current one.
fn clew(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_clew")).args(words).current_dir(folder).output().expect("clew starts")
}

#[test]
fn a_specification_becomes_a_program_of_c() {
    let folder = folder("program");
    file(&folder, "plus.jsl", PLUS);
    let output = clew(&folder, &["rules", "plus.jsl", "--as-c", "plus.c"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let words = ["test", "plus.c", "-f", "rewrite_plus", "-c", "decision", "--no-verify"];
    let tested = said(&clew(&folder, &words));
    assert!(tested.contains("decision: 12 objectives, 9 covered, 3 infeasible"), "{tested}");
    let agrees = "#include \"plus.c\"\n\
        static int number(const struct term *n)\n{\n    int number = 0;\n    for (; n->constructor == CON_S; n = n->args[0])\n\
        \u{20}       number++;\n    return number;\n}\n\
        int agrees(const struct term *a, const struct term *b)\n{\n    if (!rewrite_plus_precond(a, b))\n        return 1;\n\
        \u{20}   return number(a) + number(b) == number(rewrite_plus(a, b));\n}\n";
    file(&folder, "right.c", agrees);
    file(&folder, "wrong.c", &agrees.replace("number(b) ==", "number(b) - (number(a) == 3) =="));
    let question = |file: &str| said(&clew(&folder, &["prove", file, "-f", "agrees", "--ensures", "\\result == 1"]));
    assert!(question("right.c").contains("proved"), "{}", question("right.c"));
    assert!(question("wrong.c").contains("violated"), "{}", question("wrong.c"));
    file(&folder, "plus.c", "int mine;\n");
    let output = clew(&folder, &["rules", "plus.jsl", "--as-c", "plus.c"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
}

/// A term such as `S (S 0)` as an expression over the builders of the program of C.
fn built(term: &str) -> String {
    let words = term.replace('(', " ( ").replace(')', " ) ");
    let mut words = words.split_whitespace().peekable();
    // For each open application: whether it is in parentheses, and whether it has arguments already.
    let mut open: Vec<(bool, bool)> = Vec::new();
    let mut out = String::new();
    let mut is_head = true;
    while let Some(word) = words.next() {
        if word == ")" {
            open.pop();
            out.push(')');
            continue;
        }
        if !is_head && let Some((_, has_arguments)) = open.last_mut() {
            out.push_str(if std::mem::replace(has_arguments, true) { ", " } else { "" });
        }
        let (is_inner, head) = if word == "(" { (true, words.next().unwrap_or_default()) } else { (false, word) };
        out.push_str(&format!("make_{head}("));
        if is_inner || is_head {
            open.push((is_inner, false));
        } else {
            out.push(')');
        }
        is_head = false;
    }
    out + ")"
}

/// The program of C rewrites every test of the virtual machine to one of the results that the rules give.
#[test]
fn the_program_of_c_agrees_with_the_rules() {
    let folder = folder("twin");
    let output = rules(&example("jcvm.jsl"), &folder.join("out"), &["--no-warnings"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let program = folder.join("jcvm.c");
    let program = program.to_str().expect("the path is text");
    let output = rules(&example("jcvm.jsl"), &folder.join("out"), &["--as-c", program]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let suite = std::fs::read_to_string(folder.join("out/rules.json")).expect("the suite is written");
    let suite: Value = serde_json::from_str(&suite).expect("the suite is JSON");
    let terms = |value: &Value| -> Vec<String> {
        value.as_array().into_iter().flatten().map(|term| built(term.as_str().unwrap_or_default())).collect()
    };
    let mut main = "#include \"jcvm.c\"\n#include <stdio.h>\nint main(void)\n{\n    int differ = 0;\n".to_owned();
    let tests = suite["tests"].as_array().expect("there are tests");
    for test in tests {
        let call = format!(
            "rewrite_{}({})",
            test["function"].as_str().unwrap_or_default(),
            terms(&test["arguments"]).join(", ")
        );
        let same = |result: &String| format!("same({call}, {result})");
        let any = terms(&test["results"]).iter().map(same).collect::<Vec<_>>().join(" || ");
        main += &format!("    if (!({any}))\n        differ += printf(\"%s\\n\", {});\n", test["name"]);
    }
    file(&folder, "main.c", &(main + "    return differ != 0;\n}\n"));
    let words = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-o", "main", "main.c"];
    let built = Command::new("cc").args(words).current_dir(&folder).output().expect("the compiler starts");
    assert!(built.status.success(), "{}", said(&built));
    let ran = Command::new(folder.join("main")).output().expect("the program starts");
    assert!(ran.status.success() && tests.len() > 500, "{} of {} differ", said(&ran).lines().count(), tests.len());
}
