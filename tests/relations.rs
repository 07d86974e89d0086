//! Relations between calls, and inputs drawn at random, through the command line: each verdict is checked against what is
//! known of the corpus (`tests/corpus/relations`).

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
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
        ("sort", "permute(a[0..n]) -> class", &domain[..2], "proved"),
        ("copy", "permute(src[0..n]) -> same(dest)", &[], "proved"),
        ("replaceAll", "permute(a[0..n]) -> same", &domain[..], "proved"),
        ("replaceAll_1", "permute(a[0..n]) -> same", &domain[..], "violated"),
    ] {
        let found = verdicts("lists.c", &[&["-f", function, "--symmetry", symmetry], domain].concat());
        assert!(found.iter().all(|verdict| verdict == wanted), "{function}: {found:?}");
    }
    let values = ["--domain", "v[*]=0..19", "--domain", "nb=0..4", "--requires", "\\valid(r + (0 .. nb - 1))"];
    for (function, wanted) in [("min_nb", ["proved", "proved"]), ("min_nb_1", ["proved", "violated"])] {
        let symmetry = ["-f", function, "--symmetry", "permute(v[0..n]) -> class"];
        assert_eq!(verdicts("lists.c", &[&symmetry[..], &values].concat()), wanted, "{function}");
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

/// The seven methods of the Java Card library as twins in C, and broken ones.
#[test]
fn methods_on_arrays_keep_their_symmetries() {
    let (same, index) = ("permute(dest[0..len], src[0..len]) -> same", "permute(src[0..len]) -> index");
    for (functions, symmetry, wanted) in [
        (&["arrayAndNonAtomic", "arrayOrNonAtomic", "arrayXorNonAtomic"][..], same, "proved"),
        (&["arrayXorNonAtomic_1"], same, "violated"),
        (&["arrayCompare", "arrayFindByte", "getObjectIndex", "getShortIndex"], index, "proved"),
        (&["arrayCompare_1", "getShortIndex_1"], index, "violated"),
    ] {
        let named: Vec<&str> = functions.iter().flat_map(|name| ["-f", name]).collect();
        let found = settled("utilfs.c", &[&named[..], &["--symmetry", symmetry]].concat());
        for function in functions {
            let own = || found.iter().filter(|it| it["function"] == *function).map(|it| &it["verdict"]);
            let is_as_wanted =
                if wanted == "proved" { own().all(|it| it == "proved") } else { own().any(|it| it == wanted) };
            assert!(own().count() == 2 && is_as_wanted, "{function}: {found:?}");
        }
    }
}

/// Systematic exchanges of operators, values and variables in trityp.
const EXCHANGES: [(&str, &str); 33] = [
    ("i == 0 ||", "i != 0 ||"),
    ("i == 0 ||", "i == 1 ||"),
    ("j == 0 ||", "j == 1 ||"),
    ("k == 0)", "k == 1)"),
    ("k == 0)", "j == 0)"),
    ("|| j == 0 ||", "|| j == 0 &&"),
    ("|| j == 0 ||", "&& j == 0 ||"),
    ("        t = 4;\n    else {", "        t = 3;\n    else {"),
    ("        t = 0;", "        t = 1;"),
    ("if (i == j)", "if (i != j)"),
    ("if (i == k)", "if (i != k)"),
    ("if (j == k)", "if (j != k)"),
    ("if (i == j)", "if (i >= j)"),
    ("if (j == k)", "if (i == k)"),
    ("t = t + 1", "t = t + 2"),
    ("t = t + 2", "t = t + 1"),
    ("t = t + 3", "t = t + 2"),
    ("t = t + 3", "t = t + 4"),
    ("if (t == 0)", "if (t <= 0)"),
    ("i + j <= k", "i + j < k"),
    ("j + k <= i", "j + k < i"),
    ("i + k <= j", "i + k < j"),
    ("i + j <= k ||", "i + j <= k &&"),
    ("i + j <= k", "i - j <= k"),
    ("                t = 1;", "                t = 2;"),
    ("t > 3", "t >= 3"),
    ("t > 3", "t > 4"),
    ("t == 1 &&", "t == 1 ||"),
    ("t == 2 &&", "t == 2 ||"),
    ("i + j > k", "i + j >= k"),
    ("i + k > j", "i + k >= j"),
    ("j + k > i", "j + k >= i"),
    ("t == 3 && j + k > i)\n            t = 2;", "t == 3 && j + k > i)\n            t = 3;"),
];

/// Those mutants of trityp that all inputs of the paper's domain show not to be symmetric are violated, all others proved.
/// Every eighth is looked at; with `CLEW_MUTANTS` all are.
#[test]
fn symmetry_kills_mutants_of_trityp_or_is_proved_of_them() {
    let step = if std::env::var_os("CLEW_MUTANTS").is_some() { 1 } else { 8 };
    let source = std::fs::read_to_string(corpus("../trityp.c")).expect("it is in the corpus");
    let function = &source[source.find("int trityp").expect("it is there")..];
    let (mut text, mut names) = (String::new(), Vec::new());
    for (number, (from, to)) in EXCHANGES.iter().enumerate().step_by(step) {
        assert!(function.contains(from), "{from}");
        let name = format!("trityp_{}", number + 1);
        text += &function.replacen(from, to, 1).replacen("trityp", &name, 1);
        names.push(name);
    }
    let out = scratch("trityp");
    let path = out.join("mutants.c");
    std::fs::write(&path, text).expect("the file can be written");
    let file = path.to_str().expect("paths are text");
    let named: Vec<&str> = names.iter().flat_map(|name| ["-f", name.as_str()]).collect();
    let domain = ["--domain", "i=0..99", "--domain", "j=0..99", "--domain", "k=0..99"];
    let asked = [&named[..], &domain, &["--symmetry", "permute(i, j, k)", "--summary", "json"]].concat();
    let of = |more: &[&str]| {
        let output = clew("prove", file, &[&asked[..], more].concat(), &out);
        let summary: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
        let all = summary["relations"].as_array().expect("a list").clone();
        let is_violated = |name: &String| {
            let mut own = all.iter().filter(|it| it["function"] == name.as_str());
            assert!(own.clone().all(|it| it["verdict"] != "unknown"), "{all:?}");
            own.any(|it| it["verdict"] == "violated")
        };
        names.iter().map(is_violated).collect::<Vec<_>>()
    };
    let (proved, tried) = (of(&[]), of(&["--exhaustive"]));
    assert_eq!(proved, tried);
    if step == 1 {
        assert_eq!(proved.iter().filter(|is_violated| **is_violated).count(), 26, "{proved:?}");
    }
}

/// Ten functions, a few seeds each; `CLEW_SEEDS=100` is what is claimed: 95 of 100 seeds pass at 1 % for each function.
#[test]
fn draws_from_paths_are_even() {
    let seeds: usize = std::env::var("CLEW_SEEDS").ok().and_then(|number| number.parse().ok()).unwrap_or(2);
    let mut failed = BTreeMap::<String, usize>::new();
    let mut judged = BTreeSet::new();
    for seed in 0..seeds {
        let number = seed.to_string();
        let all = ["--per-path", "1500", "--tests", "100000", "--seed", &number, "--no-verify"];
        // Inputs that are counted, and such as lie in boxes and are rejected.
        let cut: &[&str] = if seed % 2 == 0 { &[] } else { &["--ranges", "3"] };
        let output = clew("test", "countable.c", &[&all[..], cut].concat(), &scratch("countable"));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let mut values = BTreeMap::<String, Vec<f64>>::new();
        let mut name = String::new();
        for line in said.lines() {
            if let Some(rest) = line.strip_prefix("✓ ").filter(|_| line.contains("executed")) {
                name = rest.split(' ').next().unwrap_or_default().to_owned();
            } else if let Some((_, value)) = line.split_once("p = ").filter(|_| line.starts_with("  path ")) {
                // What is kept of the input may be said behind it.
                let value = value.split(';').next().and_then(|value| value.trim().parse().ok());
                values.entry(name.clone()).or_default().push(value.expect("it is a number"));
            }
        }
        for (name, values) in values {
            // Of several paths one is as likely to fail as the only one would be.
            let fails = values.iter().any(|value| *value < 0.01 / values.len() as f64);
            *failed.entry(name.clone()).or_default() += usize::from(fails);
            judged.insert(name);
        }
    }
    assert_eq!(judged.len(), 10, "{judged:?}");
    assert!(failed.values().all(|count| *count <= (seeds * 5 / 100).max(1)), "{failed:?}");
}

/// What is violated natively is a failing test, too, and the report has its calls side by side.
#[test]
fn violations_found_natively_are_tests_and_in_the_report() {
    let out = scratch("native");
    let domain = ["--domain", "x1=0..9", "--domain", "x2=0..9", "--domain", "x3=0..9"];
    let arguments = [&["-f", "GetMid_1", "--symmetry", "permute(x1, x2, x3)", "--exhaustive"][..], &domain].concat();
    assert_eq!(clew("prove", "getmid.c", &arguments, &out).status.code(), Some(1));
    let made = Command::new("make").arg("-C").arg(&out).arg("check").output().expect("make starts");
    assert!(!made.status.success(), "{}", String::from_utf8_lossy(&made.stdout));
    let report = std::fs::read_to_string(out.join("report.html")).expect("it was written");
    let row = "<td><code>GetMid_1(1, 1, 0)</code><br><strong>= 0</strong></td><td><code>GetMid_1(1, 0, 1)</code>";
    assert!(report.contains(row), "{report}");
}

/// Floats are drawn from a path by their places, from the domain by those or by length.
#[test]
fn floats_are_drawn() {
    let paths = drawn("halves", &["--per-path", "200"]);
    assert!(paths.iter().all(|path| path.contains("200 inputs") && !path.contains("kept")), "{paths:?}");
    for (floats, least, most) in [("values", 0, 4), ("interval", 75, 125)] {
        let out = scratch(floats);
        let asked = ["-f", "unit", "--random", "200", "--floats", floats, "--no-verify"];
        clew("test", "draws.c", &asked, &out);
        let suite = std::fs::read_to_string(out.join("suite.json")).expect("it was written");
        let suite: Value = serde_json::from_str(&suite).expect("it is JSON");
        let tests = suite["functions"][0]["tests"].as_array().expect("a list");
        // Nearly all floats from 0 to 1 are less than a half.
        let above = tests.iter().filter(|test| test["result"].to_string().contains('1')).count();
        assert!((least..=most).contains(&above), "{floats}: {above} of {}", tests.len());
    }
}

/// What calls share, read and write is said of relations in C.
#[test]
fn effects_of_relations_in_c_are_said() {
    let notes = |name: &str| {
        let found = settled("effects.c", &["--relation", name]);
        (found[0]["verdict"].as_str().map(str::to_owned), found[0]["notes"].to_string())
    };
    let (verdict, said) = notes("counted_relation");
    assert!(verdict.as_deref() == Some("proved") && said.contains("`counted` keeps `calls`"), "{verdict:?} {said}");
    let (verdict, said) = notes("digits_relation");
    // That undefined inputs are left out is said of every relation whose calls can be undefined.
    let is_silent = ["keeps", "not compared", "for granted"].iter().all(|word| !said.contains(word));
    assert!(verdict.as_deref() == Some("proved") && is_silent, "{verdict:?} {said}");
    let (_, said) = notes("told_relation");
    assert!(said.contains("what `puts` reads and writes is not compared"), "{said}");
    let (verdict, said) = notes("boxed_relation");
    assert!(
        verdict.as_deref() == Some("proved") && said.contains("for granted that `malloc` gives memory"),
        "{verdict:?} {said}"
    );
    let output = clew("prove", "effects.c", &["--relation", "clocked_relation"], &scratch("clock"));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && said.contains("depends on the clock"), "{said}");
}
