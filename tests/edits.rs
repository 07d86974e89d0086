//! What an edit of the source does to a suite: tests that it does not concern keep their bytes.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCE: &str = "struct item { int weight; int price; };

static int within(int value, int low, int high)
{
    if (value < low)
        return low;
    return value > high ? high : value;
}

int total(const struct item *items, int count, int most)
{
    int sum = 0;
    for (int at = 0; at < count; at++) {
        if (items[at].weight > 100)
            return -1;
        sum += items[at].price;
    }
    return within(sum, 0, most);
}

int kind(char letter)
{
    switch (letter) {
    case '+': return 1;
    case '-': return 2;
    case '{': return 3;
    default: return letter >= '0' && letter <= '9' ? 4 : 0;
    }
}
";

/// An edit: what is replaced by what, and the functions whose tests it may change.
struct Edit {
    what: &'static str,
    from: &'static str,
    to: &'static str,
    touches: &'static [&'static str],
}

const EDITS: [Edit; 10] = [
    Edit { what: "a local is renamed", from: "sum", to: "all", touches: &[] },
    Edit {
        what: "lines are added in front",
        from: "struct item {",
        to: "/* Goods. */\n\n\nstruct item {",
        touches: &[],
    },
    Edit {
        what: "the layout changes",
        from: "    for (int at = 0; at < count; at++) {",
        to: "    for (int at = 0;\n         at < count;\n         at++) {",
        touches: &[],
    },
    Edit {
        what: "a branch is added",
        from: "    int sum = 0;",
        to: "    int sum = 0;\n    if (most == 77)\n        return 7;",
        touches: &["total"],
    },
    Edit {
        what: "a case is added",
        from: "    case '{': return 3;",
        to: "    case '{': return 3;\n    case '}': return 5;",
        touches: &["kind"],
    },
    Edit { what: "a constant changes", from: "> 100", to: "> 250", touches: &["total"] },
    Edit { what: "a result changes", from: "case '-': return 2;", to: "case '-': return 9;", touches: &["kind"] },
    Edit {
        what: "a function is added",
        from: "int kind(",
        to: "int twice(int x) { return x > 4 ? 8 : 2 * x; }\n\nint kind(",
        touches: &["twice"],
    },
    Edit {
        what: "a condition is turned round",
        from: "if (value < low)",
        to: "if (low > value)",
        touches: &["within", "total"],
    },
    Edit {
        what: "a statement is moved",
        from: "    int sum = 0;\n",
        to: "    int unused = most;\n    (void)unused;\n    int sum = 0;\n",
        touches: &[],
    },
];

fn generate(at: &Path, source: &str) {
    fs::write(at.join("shop.c"), source).expect("the file can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_clew"))
        .args(["test", "--no-verify", "shop.c", "-o", "out"])
        .args(clew_testing::effort("30"))
        .current_dir(at)
        .output()
        .expect("clew starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The text of each test of a suite, with the comment above it.
fn blocks(at: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(at.join("out/test_shop.c")).expect("there is test code");
    let parts = text.split("\n/* ").filter(|part| part.contains("\nstatic void test_"));
    let name = |part: &str| {
        let begin = part.find("\nstatic void test_").expect("it has one") + "\nstatic void ".len();
        part[begin..].split('(').next().unwrap_or_default().to_owned()
    };
    parts.map(|part| (name(part), part.split("\n}\n").next().unwrap_or_default().to_owned())).collect()
}

/// What each test of a suite is given and shows, by its name, with the function.
fn cases(at: &Path) -> BTreeMap<String, (String, [Value; 4])> {
    let text = fs::read_to_string(at.join("out/suite.json")).expect("there is a suite");
    let suite: Value = serde_json::from_str(&text).expect("it is JSON");
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut cases = BTreeMap::new();
    for function in list(&suite["functions"]) {
        for test in list(&function["tests"]) {
            let name = test["name"].as_str().unwrap_or_default().to_owned();
            let what = ["raw", "ending", "result", "outputs"].map(|field| test[field].clone());
            cases.insert(name, (function["name"].as_str().unwrap_or_default().to_owned(), what));
        }
    }
    cases
}

fn folder(name: &str) -> PathBuf {
    clew_testing::folder(env!("CARGO_TARGET_TMPDIR"), "edits", name)
}

#[test]
fn tests_that_an_edit_does_not_concern_keep_their_bytes() {
    let base = folder("base");
    generate(&base, SOURCE);
    let (before, cases_before) = (blocks(&base), cases(&base));
    assert!(before.len() >= 10, "{before:?}");
    for Edit { what, from, to, touches } in EDITS {
        let source = SOURCE.replace(from, to);
        assert_ne!(source, SOURCE, "{what}");
        let at = folder("edited");
        generate(&at, SOURCE);
        generate(&at, &source);
        let (after, cases_after) = (blocks(&at), cases(&at));
        for (name, (function, case)) in &cases_before {
            let is_same = cases_after.get(name).is_some_and(|(_, other)| other == case);
            assert!(is_same || touches.contains(&function.as_str()), "{what}: {name} is gone or another one");
            let bytes = before.get(&format!("test_{name}")).or_else(|| before.get(name)).expect("it has code");
            let now = after.get(&format!("test_{name}")).or_else(|| after.get(name));
            assert!(!is_same || now == Some(bytes), "{what}: {name} is written otherwise\n{bytes}\n{now:?}");
        }
    }
    // Functions in another order.
    let at = folder("order");
    generate(&at, SOURCE);
    let (first, second) = SOURCE.split_once("int kind(").expect("it is there");
    let (types, first) = first.split_once("\n\n").expect("there is a line between");
    generate(&at, &format!("{types}\n\nint kind({second}\n{first}"));
    assert_eq!(blocks(&at), before);
    assert_eq!(cases(&at), cases_before);
}

/// Tests of functions that are not asked for stay in the suite, with their code.
#[test]
fn other_functions_keep_their_tests() {
    let at = folder("others");
    generate(&at, SOURCE);
    let before = blocks(&at);
    let output = Command::new(env!("CARGO_BIN_EXE_clew"))
        .args(["test", "shop.c", "-o", "out", "-f", "kind"])
        .args(clew_testing::effort("30"))
        .current_dir(&at)
        .output()
        .expect("clew starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(blocks(&at), before);
    assert!(cases(&at).values().any(|(function, _)| function == "total"));
}
