//! Relations between calls, and inputs drawn at random, through the command line: each verdict is checked against what is
//! known of the corpus (`tests/corpus/relations`).

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn corpus(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/relations").join(file)
}

/// A directory of a test for what is written.
fn scratch(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("relations").join(name);
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("the directory can be made");
    directory
}

fn clew(command: &str, file: &str, arguments: &[&str], out: &Path) -> Output {
    let mut clew = Command::new(env!("CARGO_BIN_EXE_clew"));
    clew.arg(command).arg(corpus(file)).args(arguments).arg("-o").arg(out);
    clew.output().expect("clew starts")
}

/// What came of each check of a relation.
fn settled(file: &str, arguments: &[&str]) -> Vec<Value> {
    let name: String = format!("{file}{arguments:?}").chars().filter(char::is_ascii_alphanumeric).collect();
    let all = [arguments, &["--summary", "json"]].concat();
    let output = clew("prove", file, &all, &scratch(&name));
    let said = String::from_utf8_lossy(&output.stderr);
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}\n{said}"));
    summary["relations"].as_array().expect("there are relations").clone()
}

fn verdicts(file: &str, arguments: &[&str]) -> Vec<String> {
    settled(file, arguments).iter().map(|it| it["verdict"].as_str().expect("a word").to_owned()).collect()
}

fn calls(settled: &Value) -> Vec<&str> {
    settled["calls"].as_array().map_or(Vec::new(), |calls| calls.iter().filter_map(Value::as_str).collect())
}

#[test]
fn the_median_does_not_depend_on_the_order() {
    let symmetry = ["--symmetry", "permute(x1, x2, x3)"];
    let of = |name| settled("getmid.c", &[&["-f", name], &symmetry[..]].concat());
    assert!(of("GetMid").iter().all(|it| it["verdict"] == "proved"));
    let first = of("GetMid_1");
    assert!(first.iter().all(|it| it["verdict"] == "violated"));
    assert_eq!(calls(&first[1]), ["GetMid_1(1, 1, 0) = 0", "GetMid_1(1, 0, 1) = 1"]);
    assert_eq!(calls(&of("GetMid_2")[1]), ["GetMid_2(1, 0, 0) = 0", "GetMid_2(0, 0, 1) = 1"]);
}

#[test]
fn all_inputs_in_the_order_of_the_papers() {
    let domain = ["--domain", "x1=0..99", "--domain", "x2=0..99", "--domain", "x3=0..99", "--exhaustive"];
    let symmetry = ["--symmetry", "permute(x1, x2, x3)"];
    let of = |name| settled("getmid.c", &[&["-f", name], &symmetry[..], &domain[..]].concat());
    for check in of("GetMid") {
        assert_eq!((&check["verdict"], &check["tried"][0]), (&"holds".into(), &1_000_000.into()));
    }
    let inputs = |settled: &[Value]| settled.iter().map(|it| it["input"].to_string()).collect::<Vec<_>>();
    assert_eq!(inputs(&of("GetMid_1"))[1], "[\"x1 = 1\",\"x2 = 1\",\"x3 = 0\"]");
    assert_eq!(inputs(&of("GetMid_2"))[1], "[\"x1 = 1\",\"x2 = 0\",\"x3 = 0\"]");
}

#[test]
fn lists_keep_their_symmetries() {
    let domain = ["--domain", "a[*]=0..19", "--domain", "from=0..19", "--domain", "to=0..19"];
    for (function, symmetry, domain, wanted) in [
        ("sort", "permute(a[0..n])", &domain[..2], "proved"),
        ("sort_1", "permute(a[0..n])", &domain[..2], "violated"),
        ("copy", "permute(src[0..n]) -> same(dest)", &[], "proved"),
        ("replaceAll", "permute(a[0..n]) -> same", &domain[..], "proved"),
        ("replaceAll_1", "permute(a[0..n]) -> same", &domain[..], "violated"),
    ] {
        let found = verdicts("lists.c", &[&["-f", function, "--symmetry", symmetry], domain].concat());
        assert!(found.iter().all(|verdict| verdict == wanted), "{function}: {found:?}");
    }
}

#[test]
fn relations_in_c() {
    for name in ["base64", "varint", "utf8", "move"] {
        let found = verdicts("library.c", &["--relation", &format!("{name}_relation")]);
        assert!(found.iter().all(|verdict| verdict == "proved"), "{name}: {found:?}");
        let found = verdicts("library.c", &["--relation", &format!("{name}_1_relation")]);
        assert!(found.iter().any(|verdict| verdict == "violated"), "{name}: {found:?}");
    }
}

#[test]
fn relations_of_numbers_and_of_two_functions() {
    for (function, symmetry, wanted) in [
        ("crc", "equivalent(crc_fast)", "proved"),
        ("crc", "equivalent(crc_fast_1)", "violated"),
        ("gray", "round-trip(ungray)", "proved"),
        ("swap16", "involutive", "proved"),
        ("clamp", "idempotent", "proved"),
        ("clamp", "monotone(x)", "proved"),
        ("clamp", "negate(x) -> negated", "proved"),
        ("clamp_1", "monotone(x)", "violated"),
        ("half", "idempotent", "violated"),
        ("middle", "swap(a, b)", "proved"),
    ] {
        let found = verdicts("library.c", &["-f", function, "--symmetry", symmetry]);
        assert_eq!(found, [wanted], "{function}: {symmetry}");
    }
}

/// The paper has 36, 85 and 14 mutants and p = 0.133; p = 0.1275 was counted for those of this source on bytes below 126, here
/// there are fewer.
#[test]
fn the_rate_of_faults_is_measured_by_mutants() {
    let domain = ["--domain", "i=0..25", "--domain", "j=0..25", "--domain", "k=0..25"];
    let asked = ["-f", "trityp", "--symmetry", "permute(i, j, k)", "--rate", "exchanged", "--quality", "0.9995"];
    let output =
        clew("prove", "../trityp.c", &[&asked[..], &domain, &["--summary", "json"]].concat(), &scratch("rate"));
    let summary: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let rate = &summary["rates"][0];
    let of = |name: &str, field: &str| {
        let kinds = rate["operators"].as_array().expect("a list");
        kinds.iter().find(|kind| kind["operator"] == name).map_or(f64::NAN, |it| it[field].as_f64().expect("a number"))
    };
    assert_eq!(["arithmetic", "relational", "logical"].map(|name| of(name, "mutants")), [36.0, 85.0, 14.0]);
    let is_near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 0.004, "{found} {wanted} {rate}");
    is_near(rate["rate"].as_f64().expect("a number"), 0.1311);
    is_near(of("arithmetic", "rate"), 0.0681);
    is_near(of("relational", "rate"), 0.1723);
    is_near(of("logical", "rate"), 0.0426);
    let tried = summary["relations"][0]["tried"][0].as_u64().expect("a number");
    assert!((50..60).contains(&tried), "{tried}");
}

#[test]
fn relational_clauses_are_settled() {
    let found = settled("clauses.c", &["-f", "max", "-f", "gray", "-f", "half"]);
    let verdicts: Vec<&str> = found.iter().filter_map(|it| it["verdict"].as_str()).collect();
    assert_eq!(verdicts, ["proved", "proved", "proved", "violated"], "{found:?}");
    assert_eq!(found[3]["function"], "half");
    let wrong = settled_error("clauses_wrong.c", "f");
    assert!(wrong.contains("there is no function `g` with a body") && wrong.contains('^'), "{wrong}");
}

/// What is said of a clause that cannot be settled.
fn settled_error(file: &str, function: &str) -> String {
    let output = clew("prove", file, &["-f", function], &scratch(file));
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The domain is not closed; calls influence each other; names and numbers that are not there; a function without end.
#[test]
fn what_cannot_be_related_is_said() {
    let open = ["-f", "GetMid", "--symmetry", "permute(x1, x2)", "--domain", "x1=0..3"];
    assert_eq!(verdicts("getmid.c", &open), ["not-closed"]);
    let endless = ["-f", "forever", "--symmetry", "idempotent", "--random", "10", "--time", "3600"];
    assert_eq!(verdicts("library.c", &endless), ["unknown"]);
    for (function, symmetry, said) in [
        ("counted", "monotone(x)", "keeps `calls` of `counted`"),
        ("clamp", "monotone(y)", "has no parameter `y`"),
        ("clamp", "round-trip(gone)", "there is no function `gone`"),
        ("clamp", "permutes(x)", "there is no relation `permutes`"),
        ("crc", "equivalent(clamp)", "have different types"),
        ("clamp", "permute(x)", "one parameter cannot be permuted"),
    ] {
        let output = clew("prove", "library.c", &["-f", function, "--symmetry", symmetry], &scratch("refused"));
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{symmetry}: {error}");
        assert!(error.contains(said) && error.contains('^'), "{symmetry}: {error}");
    }
}

/// The test of a violated relation fails.
#[test]
fn violated_relations_are_failing_tests() {
    let out = scratch("failing");
    let arguments = ["-f", "GetMid_1", "--symmetry", "permute(x1, x2, x3)"];
    assert_eq!(clew("prove", "getmid.c", &arguments, &out).status.code(), Some(1));
    let made = Command::new("make").arg("-C").arg(&out).arg("check").output().expect("make starts");
    assert!(!made.status.success(), "{}", String::from_utf8_lossy(&made.stdout));
}

/// What is said of the paths from which inputs are drawn.
fn drawn(function: &str, arguments: &[&str]) -> Vec<String> {
    let output = clew("test", "draws.c", &[&["-f", function], arguments].concat(), &scratch(function));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("all as predicted"), "{said}");
    said.lines().filter(|line| line.starts_with("  path ")).map(str::to_owned).collect()
}

/// Of the reference path 58 of 100, 75, 68 and 60 points are inputs.
#[test]
fn draws_of_the_reference_path() {
    for (ranges, expected) in [("1", 1724), ("2", 1293), ("3", 1172), ("5", 1034)] {
        let domain = ["--domain", "x=0..100", "--domain", "y=0..100", "--per-path", "1000", "--ranges", ranges];
        let paths = drawn("product", &domain);
        let path = paths.iter().find(|path| path.contains(" of 58 in ")).expect("the path has 58 inputs");
        let draws = path.split(" in ").nth(1).and_then(|rest| rest.split(' ').next());
        let draws: u32 = draws.and_then(|draws| draws.parse().ok()).expect("draws are a number");
        assert!(draws.abs_diff(expected) < expected / 10, "{ranges}: {draws}");
    }
}

#[test]
fn narrow_paths_are_drawn_evenly() {
    let paths = drawn("narrow", &["--per-path", "1000"]);
    let path = paths.iter().find(|path| path.contains(" of 100 in 1000 draws, 0 rejected")).expect("it has 100 inputs");
    let probability: f64 =
        path.rsplit("p = ").next().and_then(|p| p.trim().parse().ok()).expect("there is a probability");
    assert!(probability > 0.001, "{path}");
}

#[test]
fn inputs_at_random() {
    let output = clew("test", "draws.c", &["-f", "product", "--random", "50"], &scratch("random"));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("50 inputs at random, 0 draws rejected"), "{said}");
}
