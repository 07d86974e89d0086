//! Suites measured by mutants, end to end: what is said, what is written, and that inputs become telling.

use std::path::{Path, PathBuf};
use std::process::Command;

const ROTATE: &str = "typedef unsigned char state_t[4][4];
void rotate(state_t *state) {
    unsigned char first = (*state)[0][1];
    (*state)[0][1] = (*state)[1][1];
    (*state)[1][1] = (*state)[2][1];
    (*state)[2][1] = (*state)[3][1];
    (*state)[3][1] = first;
}
int clamp(int x, int low, int high) {
    if (x < low)
        return low;
    return x > high ? high : x;
}
";

fn folder(name: &str) -> PathBuf {
    let folder = clew_testing::folder(env!("CARGO_TARGET_TMPDIR"), "mutants", name);
    std::fs::write(folder.join("a.c"), ROTATE).expect("the file can be written");
    folder
}

/// Runs clew; its exit code and all it says.
fn clew(at: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_clew")).args(args).current_dir(at).output().expect("clew starts");
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(!text.contains("panicked"), "{text}");
    (output.status.code(), text)
}

fn json(at: &Path, file: &str) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(at.join(file)).expect("it was written")).expect("it is JSON")
}

#[test]
fn a_state_of_zeros_is_given_telling_values() {
    let at = folder("rotate");
    let (code, text) = clew(&at, &["test", "a.c", "-f", "rotate", "-c", "decision", "--values", "found"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(!text.contains("(100 %)"), "with zeros nothing shows: {text}");
    let (code, text) = clew(&at, &["test", "a.c", "-f", "rotate", "-c", "decision", "--effort", "5"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("mutants: ") && text.contains("(100 %)"), "{text}");
    let mutants = &json(&at, "clew-out/suite.json")["functions"][0]["mutants"];
    assert_eq!(mutants["all"], mutants["killed"]);
    assert!(mutants["list"].as_array().expect("a list").len() > 20, "{mutants}");
    let (code, text) = clew(&at, &["mutate"]);
    assert_eq!(code, Some(0), "{text}");
    let built = Command::new("make").args(["-s", "-C", "clew-out", "check"]).current_dir(&at).output().expect("make");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
}

#[test]
fn a_suite_is_measured_and_what_survives_is_shown() {
    let at = folder("clamp");
    let test = ["test", "a.c", "-f", "clamp", "-c", "statement", "--values", "found", "--mutants", "never"];
    let (code, text) = clew(&at, &test);
    assert_eq!(code, Some(0), "{text}");
    assert!(!text.contains("mutants"), "{text}");
    let (code, text) = clew(&at, &["mutate", "clew-out", "--matrix"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("no test notices `x != low` here") && text.contains("a.c:10"), "{text}");
    let report = json(&at, "clew-out/mutants.json");
    let list = report["functions"][0]["mutants"]["list"].as_array().expect("a list").clone();
    let killed = list.iter().filter(|mutant| mutant["killed_by"].as_array().is_some_and(|by| !by.is_empty())).count();
    assert_eq!(report["functions"][0]["mutants"]["killed"], killed);
    let (_, again) = clew(&at, &["mutate", "clew-out", "--matrix"]);
    assert_eq!(text, again);
}

#[test]
fn the_same_inputs_are_chosen_again() {
    let at = folder("again");
    for out in ["one", "two"] {
        let (code, text) = clew(&at, &["test", "a.c", "-c", "decision", "--effort", "5", "-o", out]);
        assert_eq!(code, Some(0), "{text}");
    }
    let read = |out: &str| std::fs::read_to_string(at.join(out).join("suite.json")).expect("it was written");
    assert_eq!(read("one"), read("two"));
}
