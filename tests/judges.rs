//! Independent judges: gcov measures the unmodified source under the emitted plain C tests and must confirm, line by
//! line, what the suite claims: what is covered was taken, what is infeasible was not.
//!
//! The comparison is that of `clew evidence`, whose exit code says whether a judge contradicts. Needs gcov and make, which
//! come with the compiler.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Programs that gcov may not be able to count: where a loop does not end, the test is stopped, and what it counted is
/// lost.
const ENDLESS: [&str; 1] = ["loop_diverge"];

/// Lines of some files, and how many of them a judge could look at.
#[derive(Default)]
struct Judged {
    confirmed: usize,
    not_comparable: usize,
}

fn clew(directory: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_clew")).args(args).current_dir(directory).output().expect("clew starts")
}

/// Tests every function of a file and asks the judge.
fn judge(file: &Path, judged: &mut Judged) {
    let name = file.file_stem().expect("corpus files have names").to_string_lossy().into_owned();
    let folder = clew_testing::folder(env!("CARGO_TARGET_TMPDIR"), "judges", &name);
    let source = file.display().to_string();
    let mut args = vec!["test", "--no-verify", &source, "-c", "statement,condition"];
    args.extend(clew_testing::effort("3"));
    let tested = clew(&folder, &args);
    let said = String::from_utf8_lossy(&tested.stderr).into_owned();
    assert!(matches!(tested.status.code(), Some(0 | 1 | 3)), "{name}: {said}");
    let evidence = clew(&folder, &["evidence"]);
    let said = String::from_utf8_lossy(&evidence.stderr).into_owned();
    assert_eq!(evidence.status.code(), Some(0), "{name}: {said}");
    assert!(!said.contains("not measured by gcov") || ENDLESS.contains(&name.as_str()), "{name}: {said}");
    let text = std::fs::read_to_string(folder.join("clew-out/evidence/evidence.json")).expect("there is evidence");
    judged.confirmed += text.matches("\"agreement\": \"confirms\"").count();
    judged.not_comparable += text.matches("\"agreement\": \"not_comparable\"").count();
}

fn has_gcov() -> bool {
    let found = Command::new("gcov").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        clew_testing::missing("gcov");
    }
    found
}

fn corpus(choose: impl Fn(&str) -> bool) -> Judged {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let entries = std::fs::read_dir(folder).expect("there is a corpus").flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|ending| ending == "c")).collect();
    files.sort_unstable();
    let mut judged = Judged::default();
    // Programs of floats have a room of their own.
    let chosen = |path: &PathBuf| path.file_stem().is_some_and(|name| choose(&name.to_string_lossy()));
    files.iter().filter(|path| chosen(path)).for_each(|file| judge(file, &mut judged));
    judged
}

fn is_of_floats(name: &str) -> bool {
    name.starts_with("fpse") || name == "quad"
}

#[test]
fn gcov_confirms_the_first_half_of_the_corpus() {
    if has_gcov() {
        let judged = corpus(|name| !is_of_floats(name) && name < "j");
        assert!(judged.confirmed > 10 * judged.not_comparable, "the judge saw too little");
    }
}

#[test]
fn gcov_confirms_the_second_half_of_the_corpus() {
    if has_gcov() {
        let judged = corpus(|name| !is_of_floats(name) && name >= "j");
        assert!(judged.confirmed > 10 * judged.not_comparable, "the judge saw too little");
    }
}

#[test]
fn gcov_confirms_thirty_further_functions() {
    if has_gcov() {
        let mut judged = Judged::default();
        judge(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judges/thirty.c"), &mut judged);
        assert!(judged.confirmed > 60 && judged.not_comparable <= 8, "the judge saw too little");
    }
}

#[test]
fn gcov_confirms_what_earlier_calls_lead_to() {
    if has_gcov() {
        let mut judged = Judged::default();
        judge(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/units/static_state.c"), &mut judged);
        assert!(judged.confirmed > 60 && judged.not_comparable <= 4, "the judge saw too little");
    }
}

/// Every branch that gcov counts in tcas is taken by the emitted tests, or belongs to an outcome that is proved infeasible.
/// How many branches there are is the compiler's affair: gcc 12 makes 60 of them.
#[test]
fn gcov_counts_every_feasible_branch_of_tcas() {
    if !has_gcov() {
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("judges").join("tcas-branches");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/tcas.c");
    let tested = clew(
        &folder,
        &[
            "test",
            "--no-verify",
            "--deny",
            "findings",
            source,
            "-f",
            "alt_sep_test",
            "-c",
            "condition",
            "--scope",
            "program",
            "-o",
            "out",
        ],
    );
    // An index of tcas may lie outside of its array, which is a finding.
    assert_eq!(tested.status.code(), Some(1), "{}", String::from_utf8_lossy(&tested.stderr));
    let suite = std::fs::read_to_string(folder.join("out/suite.json")).expect("there is a suite");
    let suite: serde_json::Value = serde_json::from_str(&suite).expect("it is JSON");
    let objectives = suite["functions"][0]["objectives"].as_array().expect("there are objectives");
    let infeasible = |function: &str, line: u32| {
        let is_there = |one: &&serde_json::Value| one["function"] == function && one["line"] == line;
        objectives.iter().filter(is_there).filter(|one| one["verdict"] == "infeasible").count()
    };
    let measured = clew_report::evidence::gcov::measure(&folder.join("out")).expect("gcov can measure");
    let (mut taken, mut excluded) = (0, 0);
    for ((function, line), counts) in measured.lines {
        if !objectives.iter().any(|one| one["function"] == function.as_str()) {
            continue;
        }
        let missed = counts.branches.iter().filter(|count| **count == 0).count();
        assert_eq!(missed, infeasible(&function, line), "{function}: line {line}: {counts:?}");
        taken += counts.branches.len() - missed;
        excluded += missed;
    }
    assert!(taken >= 50 && excluded == objectives.iter().filter(|one| one["verdict"] == "infeasible").count());
}

/// A process that aborts writes down what it covered before.
#[test]
fn gcov_counts_what_leads_to_an_abort() {
    if !has_gcov() {
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("judges").join("abort");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let text = "#include <assert.h>\nint f(int status) {\nassert(status != 3);\nif (status == 4) __builtin_trap();\n\
        return status / 2; }\n";
    std::fs::write(folder.join("f.c"), text).expect("the source can be written");
    let tested = clew(&folder, &["test", "--no-verify", "f.c", "-c", "condition", "-o", "out"]);
    assert_eq!(tested.status.code(), Some(0), "{}", String::from_utf8_lossy(&tested.stderr));
    let measured = clew_report::evidence::gcov::measure(&folder.join("out")).expect("gcov can measure");
    let own = measured.lines.into_iter().filter(|((function, _), _)| function == "f");
    let branches: Vec<u64> = own.flat_map(|(_, counts)| counts.branches).collect();
    assert!(branches.len() >= 4 && !branches.contains(&0), "{branches:?}");
}

/// MC/DC by unique cause, where clang can measure it; otherwise `clew evidence` says why it was not.
#[test]
fn llvm_confirms_the_independence_of_conditions() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("judges").join("independence");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/judges/thirty.c");
    let tested = clew(&folder, &["test", "--no-verify", source, "-c", "mcdc"]);
    assert_eq!(tested.status.code(), Some(0), "{}", String::from_utf8_lossy(&tested.stderr));
    let evidence = clew(&folder, &["evidence"]);
    let said = String::from_utf8_lossy(&evidence.stderr).into_owned();
    assert_eq!(evidence.status.code(), Some(0), "{said}");
    let text = std::fs::read_to_string(folder.join("clew-out/evidence/evidence.md")).expect("there is evidence");
    let measured = text.split("By llvm-cov").nth(1).map(|part| part.matches("| confirms |").count());
    match measured {
        Some(confirmed) => assert!(confirmed >= 12, "llvm-cov confirms only {confirmed} decisions"),
        None => assert!(said.contains("not measured by llvm-cov"), "{said}"),
    }
}
