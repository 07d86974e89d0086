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
/*@ requires 0 <= n <= 3 && \\valid_read(from + (0 .. n - 1)) && \\valid(to + (0 .. n - 1)); */
void spill(int from[], int to[], int n) {
    int j = 0, k = 0;
    while (j < n) {
        to[k] = from[j];
        j++;
        k++;
    }
}
int unset(int x) {
    int r;
    r = 0;
    if (x > 3)
        r = 1;
    return r;
}
int peek(int i) {
    static const int table[2] = { 5, 5 };
    return table[i & 1];
}
/*@ requires 0 <= n <= 3 && \\valid_read(a + (0 .. n - 1));
    requires \\forall integer i; 0 <= i < n - 1 ==> a[i] <= a[i + 1]; */
int least(const int a[], int n) {
    if (n == 0)
        return -1;
    return a[0] < 0 ? 0 : a[0];
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
    let (code, text) =
        clew(&at, &["test", "a.c", "-f", "rotate", "-c", "decision", "--values", "found", "--mutants", "first"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(!text.contains("killed (100 %)"), "with zeros nothing shows: {text}");
    let (code, text) =
        clew(&at, &["test", "a.c", "-f", "rotate", "-c", "decision", "--effort", "5", "--mutants", "first"]);
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

#[test]
fn mutants_are_killed_or_proved_equivalent() {
    let at = folder("strong");
    let (code, text) = clew(&at, &["test", "a.c", "-f", "clamp", "-f", "peek", "-c", "strong-mutation", "--no-verify"]);
    assert_eq!(code, Some(0), "{text}");
    let suite = json(&at, "clew-out/suite.json");
    let list = |index: usize| suite["functions"][index]["mutants"]["list"].as_array().expect("a list").clone();
    let is = |mutant: &serde_json::Value, text: &str| mutant["by"].as_str().is_some_and(|by| by.contains(text));
    let equivalent = |mutant: &serde_json::Value| mutant["equivalent"] == true;
    for mutant in list(0) {
        let killed = mutant["killed_by"].as_array().is_some_and(|by| !by.is_empty());
        assert!(killed != equivalent(&mutant), "{mutant}");
    }
    // Where low > high, it matters which of them is returned.
    assert!(list(0).iter().all(|mutant| !is(mutant, "x <= low") || !equivalent(mutant)), "{text}");
    assert!(list(0).iter().any(|mutant| is(mutant, "x >= high") && equivalent(mutant)), "{text}");
    // What leaves the table is not the same function, even where the value is not looked at.
    assert!(list(1).iter().all(|mutant| mutant["operator"] != "index" || !equivalent(mutant)), "{text}");
}

/// The tests of a project, which clew did not write: in a copy, and built once.
#[test]
fn tests_of_a_project_are_measured() {
    let at = folder("project");
    std::fs::write(
        at.join("check.c"),
        "int clamp(int, int, int);\nint main(void) { return !(clamp(1, 2, 5) == 2 && clamp(9, 2, 5) == 5); }\n",
    )
    .expect("the file can be written");
    let makefile = "check: tester\n\t./tester\n\ntester: check.c a.c\n\tcc -o $@ check.c a.c\n\n.PHONY: check\n";
    std::fs::write(at.join("Makefile"), makefile).expect("the file can be written");
    let measure = ["mutate", "--command", "make -s check", "--file", "a.c", "-f", "clamp", "-f", "peek"];
    let (code, text) = clew(&at, &measure);
    assert_eq!(code, Some(1), "{text}");
    let report = json(&at, "clew-out/mutants.json");
    let list = report["functions"][0]["mutants"]["list"].as_array().expect("a list").clone();
    let killed = |by: &str| list.iter().filter(|mutant| mutant["by"] == by).all(|it| it["killed_by"][0] == 1);
    assert!(killed("x <= low") != killed("(low) + 1"), "{text}");
    assert_eq!(report["functions"][1]["mutants"]["not_reached"], report["functions"][1]["mutants"]["all"], "{text}");
    assert!(!at.join("tester").exists(), "it is built in a copy");
    let (code, text) = clew(&at, &["mutate", "--command", "false", "--file", "a.c", "-f", "clamp"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("fails without any change"), "{text}");
}

/// What is only read is not written by what compares; loops are no limit where a changed condition never differs.
#[test]
fn mutants_of_loops_are_killed_or_proved_equivalent() {
    let at = folder("loops");
    let test = ["test", "a.c", "-f", "spill", "-f", "unset", "-c", "strong-mutation", "--no-verify"];
    let (code, text) = clew(&at, &test);
    assert_eq!(code, Some(0), "{text}");
    let suite = json(&at, "clew-out/suite.json");
    let list = |index: usize| suite["functions"][index]["mutants"]["list"].as_array().expect("a list").clone();
    // Killed, by a sanitizer if not by itself, or shown to do what C leaves undefined.
    let is_told = |mutant: &serde_json::Value| {
        let is_killed = mutant["killed_by"].as_array().is_some_and(|by| !by.is_empty());
        is_killed || mutant["sanitized_by"].is_number() || mutant["undefined"].is_string()
    };
    for mutant in list(0) {
        assert_eq!(is_told(&mutant), mutant["by"] != "j != n", "{mutant}");
        assert_eq!(mutant["equivalent"] == true, mutant["by"] == "j != n", "{mutant}");
    }
    let unset = list(1);
    let left_out = unset.iter().find(|mutant| mutant["text"] == "r = 0").expect("it is a mutant");
    assert!(is_told(left_out), "{left_out}");
    assert!(left_out["equivalent"].is_null(), "{left_out}");
}

#[test]
fn given_inputs_under_quantified_preconditions_are_followed() {
    let at = folder("given");
    let test = ["test", "a.c", "-f", "least", "-c", "decision", "--no-verify"];
    let (code, text) = clew(&at, &test);
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = clew(&at, &[&test[..], &["--given", "clew-out", "-o", "more"]].concat());
    assert_eq!(code, Some(0), "{text}");
    assert!(!text.contains("could not be followed"), "{text}");
}

#[test]
fn suites_and_versions_are_compared() {
    let at = folder("diff");
    let test = ["test", "a.c", "-f", "clamp", "-c", "decision", "--no-verify"];
    let (code, text) = clew(&at, &test);
    assert_eq!(code, Some(0), "{text}");
    std::fs::write(at.join("b.c"), ROTATE.replace("return low;", "return low + 1;")).expect("the file can be written");
    let (code, text) = clew(&at, &["diff", "clew-out", "clew-out"]);
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = clew(&at, &["diff", "a.c", "a.c"]);
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = clew(&at, &["diff", "a.c", "b.c"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("returned: ") && text.contains("1 something else"), "{text}");
    let fewer = std::fs::read_to_string(at.join("clew-out/suite.json")).expect("it was written");
    let mut fewer: serde_json::Value = serde_json::from_str(&fewer).expect("it is JSON");
    fewer["functions"][0]["tests"].as_array_mut().expect("a list").pop();
    std::fs::write(at.join("fewer.json"), fewer.to_string()).expect("the file can be written");
    let (code, text) = clew(&at, &["diff", "fewer.json", "clew-out", "--summary", "json"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("\"kind\": \"appeared\""), "{text}");
}

/// Mutants that are killed among all others are killed when they are compiled alone, too, and those that are called
/// equivalent are told from the function by none of a million inputs. `CLEW_KILLS=FILE.c:FUNCTION` looks at a function of a
/// file that includes nothing, instead.
#[test]
fn verdicts_hold_of_mutants_compiled_alone() {
    let given = std::env::var("CLEW_KILLS").ok();
    let (source, name) = match given.as_deref().and_then(|it| it.split_once(':')) {
        Some((file, name)) => (std::fs::read_to_string(file).expect("the file can be read"), name.to_owned()),
        None => (ROTATE.to_owned(), "clamp".to_owned()),
    };
    let at = folder("alone");
    let file = at.join("a.c");
    std::fs::write(&file, &source).expect("the file can be written");
    let test = ["test", "a.c", "-f", name.as_str(), "-c", "strong-mutation", "--no-verify"];
    let (code, text) = clew(&at, &test);
    assert_ne!(code, Some(2), "{text}");
    let preprocessed = clew_frontend::Preprocessed::plain("a.c", source.as_str());
    let program = clew_frontend::load_preprocessed(vec![preprocessed]).program;
    let id = program.function(&name).expect("it is defined");
    let mutants = clew_mutation::Mutants::of(&program, &[id]).list;
    let suite = json(&at, "clew-out/suite.json");
    let list = suite["functions"][0]["mutants"]["list"].as_array().expect("a list");
    assert_eq!(list.len(), mutants.len());
    let mut counts = [0, 0];
    for (said, mutant) in list.iter().zip(&mutants) {
        assert_eq!(said["by"], mutant.text.as_str(), "{said}");
        let alone = mutant.alone(&program).expect("it stands in the unit");
        if said["killed_by"].as_array().is_some_and(|by| !by.is_empty()) {
            std::fs::write(&file, &alone).expect("the file can be written");
            let run =
                Command::new("timeout").args(["20", "make", "-s", "-C", "clew-out", "check"]).current_dir(&at).output();
            assert!(!run.expect("make starts").status.success(), "{said}");
            counts[0] += 1;
        } else if said["equivalent"] == true {
            let function = &program.functions[id];
            let (start, end) = (function.span.start.min(function.body.start) as usize, function.body.end as usize);
            let start = source[..start].rfind('\n').map_or(0, |at| at + 1);
            let copy = &alone[start..end + alone.len() - source.len()];
            let copy = copy.replacen(&name, &format!("{name}_mutant"), 1);
            std::fs::write(at.join("b.c"), format!("{source}\n{copy}\n")).expect("the file can be written");
            let relation = format!("equivalent({name}_mutant)");
            let (code, text) =
                clew(&at, &["prove", "b.c", "-f", &name, "--symmetry", &relation, "--random", "1000000", "-o", "same"]);
            assert_eq!(code, Some(0), "{said}: {text}");
            counts[1] += 1;
        }
    }
    std::fs::write(&file, &source).expect("the file can be written");
    assert!(counts[0] > 5 && (given.is_some() || counts[1] > 0), "{counts:?}");
    println!("{name}: {counts:?} of {}", mutants.len());
}
