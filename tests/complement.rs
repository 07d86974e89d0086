//! Suites that build on others: `--given` starts from tests that exist, labels in comments state what else is wanted.

use std::path::{Path, PathBuf};
use std::process::Command;

fn folder(name: &str) -> PathBuf {
    clew_testing::folder(env!("CARGO_TARGET_TMPDIR"), "complement", name)
}

/// Runs clew and gives what it says for tools.
fn clew(directory: &Path, args: &[&str]) -> serde_json::Value {
    let args = [args, &["--summary", "json"]].concat();
    let output = Command::new(env!("CARGO_BIN_EXE_clew")).args(&args).current_dir(directory).output();
    let output = output.expect("clew starts");
    let said = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("clew {args:?}: {error}\n{said}"))
}

fn suite(directory: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(directory.join("suite.json")).expect("there is a suite");
    serde_json::from_str(&text).expect("it is JSON")
}

/// Lists, arrays and a global: the input has every shape that a given test may have.
const VARIED: &str = "
struct node { int key; struct node *next; };
int limit;
int f(struct node *list, const int *a, int n) {
    int found = 0;
    for (int i = 0; i < n && i < 3; i++)
        if (a[i] == limit)
            found++;
    if (list && list->next && list->next->key == found)
        return 1;
    return found > 1 ? 2 : 0;
}
";

#[test]
fn given_tests_come_first_and_leave_the_rest_to_new_ones() {
    let at = folder("given");
    std::fs::write(at.join("f.c"), VARIED).expect("the file can be written");
    let first = clew(&at, &["test", "--no-verify", "f.c", "-c", "statement", "-o", "old"]);
    let given = first["functions"][0]["tests"].as_u64().expect("a number");
    let both =
        clew(&at, &["test", "--no-verify", "f.c", "-c", "statement,mcdc,boundary", "--given", "old", "-o", "new"]);
    let counts = both["functions"][0]["criteria"].as_array().expect("criteria");
    assert!(counts.iter().all(|count| count["unknown"] == 0), "{counts:?}");
    let suite = suite(&at.join("new"));
    let tests = suite["functions"][0]["tests"].as_array().expect("tests");
    let known: Vec<bool> = tests.iter().map(|test| test["given"] == true).collect();
    assert_eq!(known.iter().filter(|given| **given).count() as u64, given, "every given test is followed");
    assert!(known[..given as usize].iter().all(|given| *given), "they come first");
    assert!(tests.len() as u64 > given, "boundaries need more tests than statements");
    let objectives = suite["functions"][0]["objectives"].as_array().expect("objectives");
    let of_statements = objectives.iter().filter(|objective| objective["criterion"] == "statement");
    for objective in of_statements.filter(|objective| objective["verdict"] == "covered") {
        let first = objective["tests"][0].as_u64().expect("a test covers it");
        assert!(first <= given, "no new test is the first to cover a statement: {objective}");
    }
    let code = std::fs::read_to_string(at.join("new/test_f.c")).expect("there is test code");
    let functions = code.matches("static void test_").count();
    assert!(functions < tests.len(), "given tests have their code elsewhere");
}

/// Pointers that are numbers, and variables that functions without a body set.
const ELSEWHERE: &str = "
int errors;
void *next(void);
int f(void *user_data, const int *p) {
    if ((int)(long)user_data == 3 && p == (const int *)-1)
        return 1;
    errors = 0;
    if (next() == (void *)1 && errors == 4)
        return 2;
    return p && *p == 7;
}
";

#[test]
fn given_tests_with_numbers_in_pointers_and_variables_that_stubs_set_are_followed() {
    let at = folder("elsewhere");
    std::fs::write(at.join("f.c"), ELSEWHERE).expect("the file can be written");
    let first = clew(&at, &["test", "--no-verify", "f.c", "-c", "mcdc", "-o", "old"]);
    let given = first["functions"][0]["tests"].as_u64().expect("a number");
    clew(&at, &["test", "--no-verify", "f.c", "-c", "mcdc", "--given", "old", "-o", "new"]);
    let suite = suite(&at.join("new"));
    let tests = suite["functions"][0]["tests"].as_array().expect("tests");
    assert_eq!(tests.iter().filter(|test| test["given"] == true).count() as u64, given, "every given test is followed");
    assert_eq!(tests.len() as u64, given, "nothing is left to be covered");
    let objectives = suite["functions"][0]["objectives"].as_array().expect("objectives");
    assert!(objectives.iter().all(|objective| objective["verdict"] == "covered"), "{objectives:?}");
}

/// What is remembered needs earlier calls, with objects of their own.
const REMEMBERS: &str = "
struct event { int kind, arg; };
int f(const struct event *event, int pin) {
    static struct event last;
    static int count;
    count = pin ? count + 1 : 0;
    if (count == 3 && event && event->kind == last.kind && event->kind > 4)
        return 1;
    if (event)
        last = *event;
    return count > 5;
}
";

#[test]
fn given_tests_with_earlier_calls_are_followed() {
    let at = folder("calls");
    std::fs::write(at.join("f.c"), REMEMBERS).expect("the file can be written");
    let first = clew(&at, &["test", "--no-verify", "f.c", "-c", "mcdc", "-o", "old"]);
    assert!(first["functions"][0]["calls"].as_u64().is_some_and(|calls| calls >= 3), "{first}");
    let given = first["functions"][0]["tests"].as_u64().expect("a number");
    clew(&at, &["test", "--no-verify", "f.c", "-c", "mcdc", "--given", "old", "-o", "new"]);
    let again = suite(&at.join("new"));
    let tests = again["functions"][0]["tests"].as_array().expect("tests");
    assert_eq!(tests.iter().filter(|test| test["given"] == true).count() as u64, given, "every given test is followed");
    assert_eq!(tests.len() as u64, given, "nothing is left to be covered");
    // Without earlier calls, what needs them is neither covered nor called infeasible.
    let once = clew(&at, &["test", "--no-verify", "f.c", "-c", "mcdc", "--calls", "1", "-o", "once"]);
    let count = &once["functions"][0]["criteria"][0];
    assert!(count["unknown"].as_u64() > Some(0) && count["infeasible"] == 0, "{count}");
    let given =
        clew(&at, &["test", "--no-verify", "f.c", "-c", "mcdc", "--calls", "1", "--given", "old", "-o", "lost"]);
    assert!(given["functions"][0]["criteria"][0]["unknown"].as_u64() > Some(0), "{given}");
}

#[test]
fn a_bound_on_calls_is_named() {
    let at = folder("bound");
    let text = "int f(int up) { static int n; if (up) n++; return n > 9 && up != 3 ? 1 : 0; }";
    std::fs::write(at.join("f.c"), text).expect("the file can be written");
    clew(&at, &["test", "--no-verify", "f.c", "-c", "condition", "--calls", "4", "-o", "few"]);
    let few = suite(&at.join("few"));
    let objectives = few["functions"][0]["objectives"].as_array().expect("objectives");
    let unknown: Vec<_> = objectives.iter().filter(|objective| objective["verdict"] == "unknown").collect();
    assert_eq!(unknown.len(), 3, "{objectives:?}");
    let names_it = |because: &str| because.contains("not all of up to 4 were tried");
    assert!(unknown.iter().all(|it| it["because"].as_str().is_some_and(names_it)), "{unknown:?}");
    clew(&at, &["test", "--no-verify", "f.c", "-c", "condition", "-o", "enough"]);
    let enough = suite(&at.join("enough"));
    let objectives = enough["functions"][0]["objectives"].as_array().expect("objectives");
    assert!(objectives.iter().all(|objective| objective["verdict"] == "covered"), "{objectives:?}");
}

#[test]
fn labels_in_comments_are_objectives() {
    let at = folder("labels");
    let text = "
int f(int x, int y) {
    int z = x / 4;
    //@ label far: z > 1000 && y < 0;
    while (z > 10)
        z = z / 2;
    if (y) /*@ label not_a_statement: y; */
        z++;
    /*@ label never: z > 11; */
    return z;
}
";
    std::fs::write(at.join("f.c"), text).expect("the file can be written");
    clew(&at, &["test", "--no-verify", "f.c", "-c", "user,decision,weak-mutation", "-o", "out"]);
    let suite = suite(&at.join("out"));
    let objectives = suite["functions"][0]["objectives"].as_array().expect("objectives");
    let verdict = |what: &str| {
        let found = objectives.iter().find(|objective| objective["what"].as_str().is_some_and(|it| it.contains(what)));
        found.map(|objective| objective["verdict"].as_str().expect("a word").to_owned())
    };
    assert_eq!(verdict("label far: `z > 1000 && y < 0` holds").as_deref(), Some("covered"));
    assert_eq!(verdict("label never: `z > 11` holds").as_deref(), Some("infeasible"));
    assert_eq!(verdict("not_a_statement"), None);
    let decisions = objectives.iter().filter(|objective| objective["criterion"] == "decision").count();
    assert_eq!(decisions, 4, "what labels say is no part of the program");
    assert_eq!(verdict("1000` with"), None);
}
