//! Files for other tools: each is read back by a reader of its own, and by the tools themselves where they are installed.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PROGRAM: &str = "#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { abort(); }
static int kind(int x)
{
    switch (x) {
    case 1:
        return 10;
    case 2:
        return 20;
    default:
        return x > 100 && x < 50;
    }
}
int main(void)
{
    int x = __VERIFIER_nondet_int();
    unsigned char y = __VERIFIER_nondet_uchar();
    if (kind(x) == 20 && y == 'q')
        reach_error();
    return 0;
}
int overflows(int a, double weight)
{
    return weight > 0.5 ? a + 1 : 0;
}
";

fn folder(name: &str) -> PathBuf {
    let path = clew_testing::folder(env!("CARGO_TARGET_TMPDIR"), "interchange", name);
    std::fs::write(path.join("program.c"), PROGRAM).expect("the file can be written");
    path
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Exports tests of functions in a form; gives the directory of the suite.
fn export(name: &str, form: &str, functions: &[&str], more: &[&str]) -> PathBuf {
    let at = folder(name);
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    let paths: &[&str] =
        if more.iter().any(|word| ["-c", "--criterion"].contains(word)) { &[] } else { &["-c", "path"] };
    command
        .current_dir(&at)
        .args(["test", "--no-verify", "program.c", "--export", form, "-o", "out"])
        .args(paths)
        .args(more);
    functions.iter().for_each(|function| {
        command.args(["--function", function]);
    });
    let output = command.output().expect("clew starts");
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", text(&output));
    at.join("out")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("the file is there")
}

/// Whether every element that is opened is closed, in order.
fn is_well_formed(document: &str) -> bool {
    let mut open = Vec::new();
    for tag in document.split('<').skip(1) {
        let Some((tag, _)) = tag.split_once('>') else { return false };
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        match tag.as_bytes().first() {
            Some(b'?' | b'!') => {}
            Some(b'/') => {
                if open.pop() != tag.strip_prefix('/') {
                    return false;
                }
            }
            _ if tag.ends_with('/') => {}
            _ => open.push(name),
        }
    }
    open.is_empty()
}

#[test]
fn testcomp_suites_list_the_inputs_in_order() {
    let property = "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )";
    let at = folder("testcomp");
    std::fs::write(at.join("error.prp"), property).expect("the file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    command.args([
        "test",
        "--no-verify",
        "-c",
        "path",
        "program.c",
        "-f",
        "main",
        "--export",
        "testcomp,testcomp-zip",
        "--property",
        "error.prp",
    ]);
    let output = command.args(["-o", "out"]).current_dir(&at).output().expect("clew starts");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let suite = at.join("out/test-suite");
    let metadata = read(&suite.join("metadata.xml"));
    assert!(is_well_formed(&metadata), "{metadata}");
    for part in [
        "<sourcecodelang>C</sourcecodelang>",
        &format!("<specification>{property}</specification>"),
        "<programfile>program.c</programfile>",
        "<entryfunction>main</entryfunction>",
        "<architecture>64bit</architecture>",
    ] {
        assert!(metadata.contains(part), "{part}: {metadata}");
    }
    let tests: Vec<String> = (1..)
        .map(|number| suite.join(format!("testcase-{number}.xml")))
        .take_while(|path| path.is_file())
        .map(|path| read(&path))
        .collect();
    assert!(tests.iter().all(|test| is_well_formed(test)), "{tests:?}");
    let error: Vec<&String> = tests.iter().filter(|test| test.contains("coversError=\"true\"")).collect();
    assert_eq!(error.len(), 1, "{tests:?}");
    let inputs = "  <input variable=\"int\" type=\"int\">2</input>\n  <input variable=\"uchar\" type=\"unsigned char\">113</input>\n";
    assert!(error[0].contains(inputs), "{}", error[0]);
    let archive = std::fs::read(at.join("out/test-suite.zip")).expect("the archive is there");
    let listed = Command::new("python3").args(["-m", "zipfile", "-t", "out/test-suite.zip"]).current_dir(&at).output();
    if let Ok(listed) = listed {
        assert!(text(&listed).contains("Done testing"), "{}", text(&listed));
    }
    assert!(archive.ends_with(&[0, 0]) && archive.starts_with(b"PK\x03\x04"));
}

/// A reader of its own for `.ktest` files: the objects by name.
fn ktest(bytes: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut rest = bytes.strip_prefix(b"KTEST").expect("the magic number");
    let take = |rest: &mut &[u8]| {
        let size = take_number(rest);
        let (first, after) = rest.split_at(size);
        *rest = after;
        first.to_vec()
    };
    let rest = &mut rest;
    assert_eq!(take_number(rest), 3);
    (0..take_number(rest)).for_each(|_| drop(take(rest)));
    assert_eq!((take_number(rest), take_number(rest)), (0, 0));
    let count = take_number(rest);
    let objects = (0..count).map(|_| (String::from_utf8(take(rest)).expect("a name"), take(rest))).collect();
    assert!(rest.is_empty());
    objects
}

fn take_number(rest: &mut &[u8]) -> usize {
    let (first, after) = rest.split_first_chunk::<4>().expect("a number");
    *rest = after;
    u32::from_be_bytes(*first) as usize
}

#[test]
fn ktest_files_hold_the_bytes() {
    let out = export("ktest", "ktest", &["overflows"], &[]);
    let objects = ktest(&std::fs::read(out.join("ktest/test000001.ktest")).expect("the first test"));
    assert_eq!(objects.keys().collect::<Vec<_>>(), ["a", "weight"]);
    assert_eq!((objects["a"].len(), objects["weight"].len()), (4, 8));
}

#[test]
fn junit_counts_tests_and_findings() {
    let out = export("junit", "junit", &["kind", "overflows"], &[]);
    let junit = read(&out.join("junit.xml"));
    assert!(is_well_formed(&junit), "{junit}");
    let tests = junit.matches("<testcase ").count();
    assert!(
        junit.contains(&format!("<testsuites name=\"clew\" tests=\"{tests}\" failures=\"1\" errors=\"0\">")),
        "{junit}"
    );
    assert!(junit.contains("<failure message=\"signed overflow at line 26\">"), "{junit}");
}

#[test]
fn coverage_is_what_was_executed() {
    let out = export("coverage", "lcov,cobertura", &["kind"], &[]);
    let lcov = read(&out.join("coverage.info"));
    // The third condition cannot be true; `main` was not tested.
    for line in
        ["FN:5,kind", "FNDA:0,main", "DA:9,1", "DA:11,1", "DA:18,0", "BRDA:13,0,0,1", "BRDA:13,1,0,0", "BRDA:7,0,0,1"]
    {
        assert!(lcov.lines().any(|known| known == line), "{line}: {lcov}");
    }
    let cobertura = read(&out.join("cobertura.xml"));
    assert!(is_well_formed(&cobertura), "{cobertura}");
    assert!(cobertura.contains("<line number=\"18\" hits=\"0\" branch=\"false\"/>"), "{cobertura}");
    assert!(cobertura.contains("condition-coverage=\"75% (3/4)\""), "{cobertura}");
    if let Ok(summary) = Command::new("lcov")
        .args(["--rc", "lcov_branch_coverage=1", "--summary", "coverage.info"])
        .current_dir(&out)
        .output()
    {
        assert!(summary.status.success() && text(&summary).contains("functions"), "{}", text(&summary));
    }
}

#[test]
fn a_run_that_ends_early_covers_no_more_than_it_did() {
    let at = folder("early");
    let program = "#include <stdlib.h>\nint f(int x)\n{\n    if (x == 3)\n        exit(1);\n    x++;\n    return x;\n}\nint g(int x)\n{\n    exit(2);\n    x++;\n    return x;\n}\n";
    std::fs::write(at.join("early.c"), program).expect("the file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    command.args(["test", "--no-verify", "-c", "path", "early.c", "--export", "lcov", "-o", "out"]).current_dir(&at);
    let output = command.output().expect("clew starts");
    let lcov = read(&at.join("out/coverage.info"));
    for line in ["DA:5,1", "DA:6,1", "DA:11,1"] {
        assert!(lcov.lines().any(|known| known == line), "{line}: {lcov}{}", text(&output));
    }
    assert!(!lcov.contains("DA:12,1") && !lcov.contains("DA:13,1"), "{lcov}");
}

#[test]
fn sarif_has_the_required_structure() {
    let out = export("sarif", "sarif", &["overflows"], &[]);
    let log: Value = serde_json::from_str(&read(&out.join("findings.sarif"))).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().is_some_and(|schema| schema.contains("sarif-2.1.0")));
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "clew");
    let results = run["results"].as_array().expect("results are a list");
    assert_eq!(results.len(), 1);
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules are a list");
    assert!(results.iter().all(|result| rules.iter().any(|rule| rule["id"] == result["ruleId"])), "{log}");
    assert_eq!(results[0]["ruleId"], "signed-overflow");
    assert!(results[0]["message"]["text"].as_str().is_some_and(|text| text.contains("2147483647")), "{log}");
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "program.c");
    assert_eq!(place["region"]["startLine"], 26);
    assert_eq!(place["region"]["snippet"]["text"], "a + 1");
}

#[test]
fn files_of_others_are_kept() {
    let at = folder("others");
    std::fs::create_dir_all(at.join("out")).expect("the folder can be made");
    std::fs::write(at.join("out/junit.xml"), "<mine/>\n").expect("the file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    command
        .args(["test", "--no-verify", "-c", "path", "program.c", "-f", "kind", "--export", "junit", "-o", "out"])
        .current_dir(&at);
    assert_eq!(command.output().expect("clew starts").status.code(), Some(2));
    assert_eq!(read(&at.join("out/junit.xml")), "<mine/>\n");
}

/// A test that does something else in an optimised build: a finding everywhere.
#[test]
fn what_optimisation_changes_is_a_finding_in_every_form() {
    let at = folder("optimised");
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/floats/constant_folding.c");
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    command
        .args([
            "test",
            "--no-verify",
            "-c",
            "path",
            program,
            "-f",
            "known",
            "--export",
            "junit,sarif",
            "-o",
            "out",
            "--deny",
            "findings",
        ])
        .current_dir(&at);
    assert_eq!(command.output().expect("clew starts").status.code(), Some(1));
    let what = "takes another path before or at `x &gt; 1.0` in line 7";
    assert!(
        read(&at.join("out/junit.xml")).contains(&format!("<failure message=\"in an optimised build it {what}\"/>"))
    );
    let what = "takes another path before or at `x > 1.0` in line 7";
    let log: Value = serde_json::from_str(&read(&at.join("out/findings.sarif"))).expect("JSON");
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "optimisation-changes-result");
    assert!(result["message"]["text"].as_str().is_some_and(|text| text.contains(what)), "{log}");
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
    for file in ["suite.json", "report.html"] {
        assert!(read(&at.join("out").join(file)).contains("optimisation changes test"), "{file}");
    }
}

/// What needs earlier calls counts for coverage, and has no form where an input is one call.
#[test]
fn tests_with_earlier_calls_count_and_are_left_out_where_they_have_no_form() {
    let at = folder("calls");
    let program = "int third(int pin) {\n    static int n;\n    if (pin)\n        n++;\n    if (n == 3)\n        return 1;\n    return 0;\n}\n";
    std::fs::write(at.join("third.c"), program).expect("the file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    command.args(["test", "--no-verify", "third.c", "-c", "branch", "--export", "testcomp,ktest,lcov", "-o", "out"]);
    let said = text(&command.current_dir(&at).output().expect("clew starts"));
    assert!(said.contains("testcomp: 1 tests with earlier calls"), "{said}");
    assert!(said.contains("ktest: 1 tests with earlier calls"), "{said}");
    let out = at.join("out");
    assert!(out.join("test-suite/testcase-2.xml").is_file() && !out.join("test-suite/testcase-3.xml").exists());
    let lcov = read(&out.join("coverage.info"));
    for line in ["FNDA:5,third", "DA:4,4", "DA:6,1", "BRDA:5,0,0,1"] {
        assert!(lcov.lines().any(|known| known == line), "{line}: {lcov}");
    }
}
